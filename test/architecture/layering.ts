import { posix } from 'node:path';
import type { Import, SourceFile } from './source-file.ts';

/** `packages/provider/src`, top to bottom. A part may import what stands on lower lines, and itself; never its own line. */
const providerLayers: readonly (readonly string[])[] = [
  ['cli', 'index.ts'],
  ['create-provider.ts'],
  ['assembly'],
  ['config'],
  ['headless', 'admin', 'registration'],
  ['endpoints', 'library', 'interaction', 'grants', 'tokens', 'consents', 'hooks'],
  ['sessions', 'requests'],
  ['flow', 'clients', 'keys', 'trust'],
  ['http', 'outbound', 'telemetry', 'storage', 'validation.ts'],
  ['concurrency', 'text', 'errors.ts', 'version.ts', 'jwk.ts', 'random.ts', 'subject.ts', 'clock-skew.ts'],
];

/** These folders were one folder, and still import each other. The list is to become empty: each gets a layer of its own. */
const formerOidc: ReadonlySet<string> = new Set([
  'endpoints',
  'library',
  'interaction',
  'grants',
  'tokens',
  'consents',
  'hooks',
]);

/** The folders that may import a library, where not every folder may. */
const libraryHomes: Readonly<Record<string, readonly string[]>> = {
  'oidc-provider': [...formerOidc, 'assembly'].map((folder) => `packages/provider/src/${folder}/`),
  kysely: ['packages/adapter-postgres/src/'],
  pg: ['packages/adapter-postgres/src/'],
  ioredis: ['packages/adapter-redis/src/'],
  'node:sqlite': ['packages/adapter-sqlite/src/'],
  undici: ['packages/provider/src/outbound/'],
};

/** What each package may import of the workspace. The provider loads adapters by name: `import(name)`. */
const workspaceImports: Readonly<Record<string, readonly string[]>> = {
  'adapter-contract': [],
  'adapter-memory': ['@carnet/adapter-contract'],
  'adapter-sqlite': ['@carnet/adapter-contract'],
  'adapter-postgres': ['@carnet/adapter-contract'],
  'adapter-redis': ['@carnet/adapter-contract'],
  provider: ['@carnet/adapter-contract'],
  // Types of the provider are welcome; code of it would bring its keys within reach of the login page.
  'consent-ui': [],
};

const environmentHome = 'packages/provider/src/config/env.ts';
const providerRoot = 'packages/provider/src/';

interface Edge {
  readonly from: string;
  readonly target: Import & { readonly specifier: string };
}

/** The package a bare specifier names: `@a/b/c` -> `@a/b`. */
const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

const folderOf = (path: string): string => path.split('/')[1] ?? '';

const layerOf = (path: string): number => {
  const part = path.slice(providerRoot.length).split('/')[0] ?? '';
  return providerLayers.findIndex((layer) => layer.includes(part));
};

const checkRelative = ({ from, target }: Edge): string | undefined => {
  const to = posix.join(posix.dirname(from), target.specifier);
  if (folderOf(to) !== folderOf(from)) return `${from} reaches into another package: ${target.specifier}`;
  if (!from.startsWith(providerRoot) || !to.startsWith(providerRoot)) return undefined;
  const [above, below] = [layerOf(from), layerOf(to)];
  if (below === -1) return `${from} imports ${to}, which stands in no layer`;
  const [fromPart = '', toPart = ''] = [from, to].map((path) => path.slice(providerRoot.length).split('/')[0]);
  const isSamePart = fromPart === toPart || (formerOidc.has(fromPart) && formerOidc.has(toPart));
  return isSamePart || above < below ? undefined : `${from} imports ${to}, which stands beside or above it`;
};

const checkBare = ({ from, target }: Edge): string | undefined => {
  const library = packageOf(target.specifier);
  const home = libraryHomes[library];
  if (home?.every((folder) => !from.startsWith(folder)))
    return `${from} imports ${library}, which belongs to ${home.join(', ')}`;
  if (!library.startsWith('@carnet/')) return undefined;
  const allowed = workspaceImports[folderOf(from)] ?? [];
  const isTypeOfUi = folderOf(from) === 'consent-ui' && target.isTypeOnly;
  return allowed.includes(library) || isTypeOfUi ? undefined : `${from} may not import ${library}`;
};

const checkFile = (file: SourceFile): string[] => {
  const found: (string | undefined)[] = [];
  if (file.path.startsWith(providerRoot)) {
    if (layerOf(file.path) === -1) found.push(`${file.path} stands in no layer`);
    if (file.readsEnvironment && file.path !== environmentHome) {
      found.push(`${file.path} reads the environment, which belongs to ${environmentHome}`);
    }
  }
  if (workspaceImports[folderOf(file.path)] === undefined) found.push(`${file.path}: its package is in no table`);
  for (const { specifier, isTypeOnly } of file.imports) {
    if (specifier === undefined) continue;
    const edge = { from: file.path, target: { specifier, isTypeOnly } };
    found.push(specifier.startsWith('.') ? checkRelative(edge) : checkBare(edge));
  }
  return found.filter((violation) => violation !== undefined);
};

/** Every import, and every read of the environment, that the tables above don't allow. */
export const violations = (files: readonly SourceFile[]): string[] => files.flatMap(checkFile);
