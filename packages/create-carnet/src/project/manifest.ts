/** A `package.json`, or the part of it that a layer adds. */
export type Manifest = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Manifest => typeof value === 'object' && value !== null;

const merge = (one: Manifest, other: Manifest): Manifest => {
  const merged: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = merged[key];
    merged[key] = isObject(before) && isObject(value) ? merge(before, value) : value;
  }
  return merged;
};

/** npm sorts the names when it installs; a project that is sorted at once has no such change. */
const sorted = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;

/** Joins the manifests of the layers. The version of Carnet's packages replaces `workspace:^`. */
export const mergeManifests = (name: string, parts: readonly Manifest[], version: string): Manifest => {
  const { dependencies, devDependencies, ...rest } = parts.reduce(merge, { name });
  const withVersions = { ...rest, dependencies: sorted(dependencies), devDependencies: sorted(devDependencies) };
  return JSON.parse(JSON.stringify(withVersions).replaceAll('workspace:^', `^${version}`));
};
