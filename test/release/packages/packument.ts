import { inject } from 'vitest';

type Ranges = Readonly<Record<string, string>>;

/** The members of a published manifest that the tests read. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly homepage: string;
  readonly bugs: unknown;
  readonly repository: unknown;
  readonly engines: unknown;
  readonly exports?: unknown;
  readonly bin?: Readonly<Record<string, string>> | string;
  readonly dependencies?: Ranges;
  readonly optionalDependencies?: Ranges;
  readonly peerDependencies?: Ranges;
  readonly dist: { readonly tarball: string };
}

interface Packument {
  readonly versions: Readonly<Record<string, Manifest>>;
}

/** The manifest of the only published version, as the registry returns it to npm. */
export const manifestOf = async (name: string): Promise<Manifest> => {
  const response = await fetch(new URL(encodeURIComponent(name), inject('registryUrl')));
  const { versions } = (await response.json()) as Packument;
  const [manifest, ...others] = Object.values(versions);
  if (manifest === undefined || others.length > 0) throw new Error(`${name} has ${others.length} other versions`);
  return manifest;
};
