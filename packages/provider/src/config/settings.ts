/** A nested plain object, as it comes from a file. */
export type Tree = Record<string, unknown>;

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands under a dotted key. */
export const getAt = (tree: Tree, key: string): unknown =>
  key.split('.').reduce<unknown>((value, name) => (isTree(value) ? value[name] : undefined), tree);

/** A copy with `value` under a dotted key. A parent that is not an object stays as it is, for the schema to refuse. */
export const withAt = (tree: Tree, key: string, value: unknown): Tree => {
  const [name = '', ...rest] = key.split('.');
  if (rest.length === 0) return { ...tree, [name]: value };
  const child = tree[name] ?? {};
  return isTree(child) ? { ...tree, [name]: withAt(child, rest.join('.'), value) } : tree;
};

/** A copy without what stands at `path`; from the first list on the whole list goes. */
export const withoutAt = (tree: Tree, path: readonly PropertyKey[]): Tree => {
  const [name, ...rest] = path.map(String);
  if (name === undefined || !Object.hasOwn(tree, name)) return tree;
  const { [name]: child, ...others } = tree;
  return rest.length > 0 && isTree(child) ? { ...others, [name]: withoutAt(child, rest) } : others;
};

/** Where the value of a key comes from: its dotted key to what a person would call the place. */
export type Origins = ReadonlyMap<string, string>;

/** A copy with what stands in `over` over what stands in `under`, key by key. */
export const mergeTrees = (under: Tree, over: Tree): Tree => {
  const merge = ([name, value]: [string, unknown]): [string, unknown] => {
    const below = Object.hasOwn(under, name) ? under[name] : undefined;
    return [name, isTree(below) && isTree(value) ? mergeTrees(below, value) : value];
  };
  return { ...under, ...Object.fromEntries(Object.entries(over).map(merge)) };
};
