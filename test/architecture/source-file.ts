import { type ParseResult, parseSync, Visitor } from 'oxc-parser';

/** One `import`, `export ... from` or `import()` of a module. */
export interface Import {
  /** As written; absent for an `import()` whose module is computed. */
  readonly specifier?: string;
  /** It vanishes when types are stripped. */
  readonly isTypeOnly: boolean;
}

export interface SourceFile {
  /** From the top of the workspace, with `/`. */
  readonly path: string;
  readonly imports: readonly Import[];
  readonly readsEnvironment: boolean;
}

type Module = ParseResult['module'];

const importsOf = ({ staticImports, staticExports, dynamicImports }: Module, text: string): Import[] => [
  ...staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    isTypeOnly: entries.length > 0 && entries.every((entry) => entry.isType),
  })),
  ...staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest === null ? [] : [{ specifier: moduleRequest.value, isTypeOnly: isType }],
    ),
  ),
  ...dynamicImports.map(({ moduleRequest }) => ({
    specifier: /^(['"`])([^$]*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[2],
    isTypeOnly: false,
  })),
];

type Visitors = ConstructorParameters<typeof Visitor>[0];
type Member = Parameters<NonNullable<Visitors['MemberExpression']>>[0];
type Expression = Member['object'];

const propertyOf = ({ property }: Member): string | undefined => {
  if (property.type === 'Identifier') return property.name;
  return property.type === 'Literal' ? String(property.value) : undefined;
};

const isProcess = (node: Expression): boolean =>
  (node.type === 'Identifier' && node.name === 'process') ||
  (node.type === 'MemberExpression' && propertyOf(node) === 'process');

const readsEnvironment = (program: ParseResult['program'], imports: readonly Import[]): boolean => {
  // `import { env } from 'node:process'` would hide it from the walk below.
  let found = imports.some(({ specifier }) => specifier === 'process' || specifier === 'node:process');
  new Visitor({
    MemberExpression: (node) => {
      found ||= isProcess(node.object) && propertyOf(node) === 'env';
    },
    VariableDeclarator: ({ id, init }) => {
      found ||= id.type === 'ObjectPattern' && init !== null && isProcess(init);
    },
  }).visit(program);
  return found;
};

/** What a module asks of others. Parsed, not searched: comments and strings don't count. */
export const parseSource = (path: string, text: string): SourceFile => {
  const { module, program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const imports = importsOf(module, text);
  return { path, imports, readsEnvironment: readsEnvironment(program, imports) };
};
