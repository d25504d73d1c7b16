import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

interface Declared {
  /** The types that the declaration refers to. */
  readonly refersTo: ReadonlySet<string>;
}

interface Module {
  readonly declared: ReadonlyMap<string, Declared>;
  /** The declared names that other modules can import. */
  readonly exported: ReadonlySet<string>;
  /** Where an imported or re-exported name comes from: the file, and the name in it. */
  readonly imported: ReadonlyMap<string, { readonly file: string; readonly name: string }>;
}

const modules = new Map<string, Module>();

/** A relative module, or `undefined` for a package. */
const resolve = (from: string, specifier: string): string | undefined => {
  const path = join(dirname(from), specifier);
  return specifier.startsWith('.') && existsSync(path) ? path : undefined;
};

type Node = Readonly<Record<string, unknown>> & { readonly type: string };

/** Names of types in a declaration. The body of a function is not part of its signature. */
const typesIn = (node: unknown, found = new Set<string>()): ReadonlySet<string> => {
  if (Array.isArray(node)) for (const one of node) typesIn(one, found);
  else if (typeof node === 'object' && node !== null) {
    const { type, body, ...rest } = node as Node & { readonly body?: unknown };
    if (type === 'TSTypeQuery') return found;
    if (type === 'TSTypeReference' || type === 'TSInterfaceHeritage') {
      const name = ((rest.typeName ?? rest.expression) as { readonly name?: string } | undefined)?.name;
      if (name !== undefined) found.add(name);
    }
    const isFunction = type === 'ArrowFunctionExpression' || type === 'FunctionExpression';
    typesIn(
      Object.values(isFunction ? { params: rest.params, returnType: rest.returnType } : { ...rest, body }),
      found,
    );
  }
  return found;
};

const load = (file: string): Module => {
  const known = modules.get(file);
  if (known) return known;
  const { program } = parseSync(file, readFileSync(file, 'utf8'));
  const declared = new Map<string, Declared>();
  const imported = new Map<string, { readonly file: string; readonly name: string }>();
  const exported = new Set<string>();
  const declare = (name: string, node: unknown) => declared.set(name, { refersTo: typesIn(node) });
  const take = (source: string, names: readonly (readonly [string, string])[]) => {
    const from = resolve(file, source);
    if (from) for (const [local, name] of names) imported.set(local, { file: from, name });
  };
  const nameOf = (node: unknown): string => (node as { readonly name?: string }).name ?? '';
  new Visitor({
    ImportDeclaration: ({ source, specifiers }) =>
      take(
        source.value,
        specifiers.map((one) => [one.local.name, 'imported' in one ? nameOf(one.imported) : 'default'] as const),
      ),
    ExportNamedDeclaration: ({ source, specifiers, declaration }) => {
      if (declaration && 'id' in declaration && declaration.id) exported.add(nameOf(declaration.id));
      if (source)
        take(
          source.value,
          specifiers.map((one) => [nameOf(one.exported), nameOf(one.local)] as const),
        );
    },
    TSInterfaceDeclaration: (node) => declare(node.id.name, node),
    TSTypeAliasDeclaration: (node) => declare(node.id.name, node),
    ClassDeclaration: (node) => node.id && declare(node.id.name, node),
    VariableDeclarator: (node) => node.id.type === 'Identifier' && declare(node.id.name, node.init),
  }).visit(program);
  const module = { declared, exported, imported };
  modules.set(file, module);
  return module;
};

/** The types of this package that the signatures exported by a module refer to, and that it does not export itself. */
export const unexportedTypes = (index: string): readonly string[] => {
  const { imported: exported } = load(index);
  const missing = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string, name: string): void => {
    const { declared, exported: importable, imported } = load(file);
    const elsewhere = imported.get(name);
    if (elsewhere) visit(elsewhere.file, elsewhere.name);
    const found = elsewhere ? undefined : declared.get(name);
    if (found === undefined || seen.has(`${file}#${name}`)) return;
    seen.add(`${file}#${name}`);
    const isExported = [...exported.values()].some((one) => one.file === file && one.name === name);
    // A name that its own module keeps to itself abbreviates a type; what it refers to is checked.
    if (!isExported && importable.has(name)) missing.add(name);
    for (const type of found.refersTo) visit(file, type);
  };
  for (const { file, name } of exported.values()) visit(file, name);
  return [...missing].sort();
};
