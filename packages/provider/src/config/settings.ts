/** A nested plain object, as it comes from a file. */
export type Tree = Record<string, unknown>;

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a dotted key. */
export const getAt = (tree: Tree, key: string): unknown =>
  key.split('.').reduce<unknown>((value, name) => (isTree(value) ? value[name] : undefined), tree);

/** A copy with `value` under a dotted key. A parent that is not an object stays as it is, for the schema to refuse. */
export const withAt = (tree: Tree, key: string, value: unknown): Tree => {
  const [name = '', ...rest] = key.split('.');
  if (rest.length === 0) return { ...tree, [name]: value };
  const child = tree[name] ?? {};
  return isTree(child) ? { ...tree, [name]: withAt(child, rest.join('.'), value) } : tree;
};

/** A copy without the value at `path`. If `path` leads through a list, the whole list is removed. */
export const withoutAt = (tree: Tree, path: readonly PropertyKey[]): Tree => {
  const [name, ...rest] = path.map(String);
  if (name === undefined || !Object.hasOwn(tree, name)) return tree;
  const { [name]: child, ...others } = tree;
  return rest.length > 0 && isTree(child) ? { ...others, [name]: withoutAt(child, rest) } : others;
};

/** The sources of values: from the dotted key to a name of the source for the user. */
export type Origins = ReadonlyMap<string, string>;

/** A copy of `under` in which the values of `over` replace those with the same key, recursively. */
export const mergeTrees = (under: Tree, over: Tree): Tree => {
  const merge = ([name, value]: [string, unknown]): [string, unknown] => {
    const below = Object.hasOwn(under, name) ? under[name] : undefined;
    return [name, isTree(below) && isTree(value) ? mergeTrees(below, value) : value];
  };
  return { ...under, ...Object.fromEntries(Object.entries(over).map(merge)) };
};
