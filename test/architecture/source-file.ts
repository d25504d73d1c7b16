import { type ParseResult, parseSync, Visitor } from 'oxc-parser';

/** One `import`, `export ... from` or `import()` of a module. */
export interface Import {
  /** As written; absent for an `import()` whose module is computed. */
  readonly specifier?: string;
  /** It vanishes when types are stripped. */
  readonly isTypeOnly: boolean;
}

/** A function with a body. */
export interface SourceFunction {
  /** The name of the variable, property or declaration; `anonymous` for a callback. */
  readonly name: string;
  readonly lines: number;
}

export interface SourceFile {
  /** From the top of the workspace, with `/`. */
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  readonly functions: readonly SourceFunction[];
  /** Every identifier. */
  readonly names: ReadonlySet<string>;
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

interface Walked {
  readonly functions: readonly SourceFunction[];
  readonly names: ReadonlySet<string>;
  readonly readsEnvironment: boolean;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const walk = (program: ParseResult['program'], text: string): Walked => {
  const functions: SourceFunction[] = [];
  const names = new Set<string>();
  const nameByStart = new Map<number, string>();
  let readsEnvironment = false;
  const measure = ({ start, end }: Span, name = nameByStart.get(start) ?? 'anonymous'): void => {
    functions.push({ name, lines: text.slice(start, end).split('\n').length });
  };
  new Visitor({
    Identifier: ({ name }) => void names.add(name),
    MemberExpression: (node) => {
      readsEnvironment ||= isProcess(node.object) && propertyOf(node) === 'env';
    },
    VariableDeclarator: ({ id, init }) => {
      readsEnvironment ||= id.type === 'ObjectPattern' && init !== null && isProcess(init);
      if (id.type === 'Identifier' && init !== null) nameByStart.set(init.start, id.name);
    },
    Property: ({ key, value }) => {
      if (key.type === 'Identifier') nameByStart.set(value.start, key.name);
    },
    FunctionDeclaration: (node) => measure(node, node.id?.name),
    FunctionExpression: (node) => measure(node),
    ArrowFunctionExpression: (node) => measure(node),
  }).visit(program);
  return { functions, names, readsEnvironment };
};

/** Parses a module: its comments and strings are ignored. */
export const parseSource = (path: string, text: string): SourceFile => {
  const { module, program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const imports = importsOf(module, text);
  const { readsEnvironment, ...walked } = walk(program, text);
  // `import { env } from 'node:process'` would hide it from the walk.
  const importsProcess = imports.some(({ specifier }) => specifier === 'process' || specifier === 'node:process');
  const lines = text.replace(/\n$/, '').split('\n').length;
  return { path, lines, imports, ...walked, readsEnvironment: readsEnvironment || importsProcess };
};
