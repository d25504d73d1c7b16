import { posix } from 'node:path';
import type { Import, SourceFile } from './source-file.ts';

/**
 * The layers of a package's `src`, top to bottom. A part may import itself and parts of lower layers, never another part of
 * its own layer.
 */
type Layers = readonly (readonly string[])[];

/** `exports/` has one file for each named subpath of `@carnet/provider`. */
const providerLayers: Layers = [
  ['index.ts', 'exports'],
  ['create-provider.ts'],
  ['assembly'],
  ['config'],
  ['headless', 'admin', 'registration', 'accounts'],
  ['api.ts'],
  ['endpoints'],
  ['library'],
  ['interaction'],
  ['grants', 'consents'],
  ['tokens'],
  ['hooks'],
  ['sessions', 'requests'],
  ['flow', 'clients', 'keys', 'trust'],
  ['http', 'outbound', 'telemetry', 'storage', 'validation.ts'],
  ['text', 'errors.ts', 'oauth-error.ts', 'version.ts', 'jwk.ts', 'random.ts', 'subject.ts', 'clock.ts'],
];

const cliLayers: Layers = [
  ['main.ts'],
  ['run.ts'],
  ['run-command-line.ts', 'completion'],
  ['demo'],
  [
    'serve',
    'stores',
    'config-commands',
    'from-hydra',
    'clients',
    'tokens',
    'perform',
    'jwks',
    'trust',
    'users',
    'webhooks',
    'ui',
    'health',
    'help',
    'init',
    'issuers',
  ],
  ['console'],
  ['doctor', 'keys'],
  ['issuer.ts', 'listener', 'directory'],
  ['admin-api.ts'],
  ['config', 'version.ts', 'json-sources.ts', 'output.ts', 'explain.ts', 'write-new-files.ts', 'read-lines.ts'],
  ['load-package.ts', 'command.ts'],
  ['env.ts', 'compile-cache.ts', 'node-version.ts'],
];

const layersOf: Readonly<Record<string, Layers>> = {
  'packages/provider/src/': providerLayers,
  'packages/cli/src/': cliLayers,
};

/** The folders that may import a library, where not every folder may. */
const libraryHomes: Readonly<Record<string, readonly string[]>> = {
  'oidc-provider': ['packages/provider/src/library/', 'packages/provider/src/assembly/'],
  kysely: [
    'packages/adapter-mysql/src/',
    'packages/adapter-postgres/src/',
    'packages/accounts-sql/src/',
    'packages/adapter-contract/src/kysely-migrator.ts',
  ],
  'scim2-parse-filter': ['packages/scim/src/'],
  ldapts: ['packages/accounts-ldap/src/'],
  '@node-saml/node-saml': ['packages/accounts-saml/src/'],
  'openid-client': [
    'packages/accounts-federation/src/',
    'packages/cli/src/',
    'packages/consent-ui/src/',
    'packages/console/src/access/',
    'packages/console/src/pages/clients/trial/',
  ],
  pg: ['packages/adapter-postgres/src/', 'packages/accounts-sql/src/'],
  mysql2: ['packages/adapter-mysql/src/'],
  ioredis: ['packages/adapter-redis/src/'],
  '@aws-sdk/client-kms': ['packages/signer-aws-kms/src/'],
  '@smithy/core': ['packages/signer-aws-kms/src/'],
  '@google-cloud/datastore': ['packages/adapter-datastore/src/'],
  'node:sqlite': ['packages/adapter-sqlite/src/', 'packages/accounts-sql/src/'],
  undici: ['packages/provider/src/outbound/', 'packages/signer-contract/src/rest/'],
  'google-auth-library': ['packages/signer-gcp/src/'],
  pkcs11js: ['packages/signer-pkcs11/src/thread/'],
};

/** What each package may import of the workspace. The provider loads adapters by name: `import(name)`. */
const workspaceImports: Readonly<Record<string, readonly string[]>> = {
  'adapter-contract': [],
  'adapter-memory': ['@carnet/adapter-contract'],
  'adapter-sqlite': ['@carnet/adapter-contract'],
  'adapter-mysql': ['@carnet/adapter-contract'],
  'adapter-postgres': ['@carnet/adapter-contract'],
  'adapter-redis': ['@carnet/adapter-contract'],
  'adapter-datastore': ['@carnet/adapter-contract'],
  'signer-contract': ['@carnet/adapter-contract'],
  'signer-pkcs11': ['@carnet/signer-contract'],
  'signer-aws-kms': ['@carnet/signer-contract'],
  'signer-gcp': ['@carnet/signer-contract'],
  'signer-vault': ['@carnet/signer-contract'],
  // Gets the packages of providers, LDAP and SQL from its caller, if they are configured.
  accounts: ['@carnet/adapter-contract'],
  // Imports only types of the accounts: it gets what it needs of them.
  'accounts-federation': ['@carnet/adapter-contract'],
  'accounts-ldap': ['@carnet/accounts'],
  'accounts-saml': ['@carnet/adapter-contract'],
  'accounts-sql': ['@carnet/accounts', '@carnet/adapter-contract'],
  events: ['@carnet/adapter-contract'],
  issuers: ['@carnet/adapter-contract', '@carnet/provider'],
  // Gets the management of users and groups from its caller, and knows no database.
  scim: [],
  // Calls the provider in process, or its admin API.
  console: ['@carnet/adapter-contract', '@carnet/provider'],
  // Loads `@carnet/accounts` by name, if accounts are configured, and imports its types.
  provider: ['@carnet/adapter-contract', '@carnet/signer-contract'],
  // Imports types of the provider only.
  fastify: [],
  cli: ['@carnet/adapter-contract', '@carnet/provider'],
  // Writes files: the projects have their own dependencies.
  'create-carnet': [],
  // Code of the provider would bring its keys within reach of the login page. The client of the accounts API is safe: it
  // sends requests with `fetch`, holds the token of the admin API only, and imports no directory and no database.
  'consent-ui': ['@carnet/accounts/client', '@carnet/adapter-contract/kit'],
};

/** The packages of which a package may import types only: they are loaded by name, or by another program. */
const typeImports: Readonly<Record<string, readonly string[]>> = {
  provider: ['@carnet/accounts', '@carnet/events', '@carnet/scim'],
  scim: ['@carnet/accounts'],
  'accounts-federation': ['@carnet/accounts'],
  'accounts-saml': ['@carnet/accounts'],
  cli: [
    '@carnet/accounts',
    '@carnet/accounts-sql',
    '@carnet/consent-ui',
    '@carnet/console',
    '@carnet/events',
    '@carnet/issuers',
  ],
  fastify: ['@carnet/provider'],
  'consent-ui': ['@carnet/accounts', '@carnet/provider'],
};

/** The files that may read `process.env`: of the provider `NODE_ENV` alone. */
const environmentHomes: readonly string[] = [
  'packages/cli/src/env.ts',
  'packages/create-carnet/src/main.ts',
  'packages/provider/src/config/production.ts',
  // The PIN, where the URL names no file.
  'packages/signer-pkcs11/src/pin.ts',
];

interface Edge {
  readonly from: string;
  readonly target: Import & { readonly specifier: string };
}

/** The package a bare specifier names: `@a/b/c` -> `@a/b`. */
const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

const folderOf = (path: string): string => path.split('/')[1] ?? '';

interface Place {
  /** The folder or file directly below `src`. */
  readonly part: string;
  /** 0 for the top layer, -1 for a part in no layer. */
  readonly layer: number;
}

/** Where a file is in the layers of its package; undefined in a package without layers. */
const placeOf = (path: string): Place | undefined => {
  const root = Object.keys(layersOf).find((each) => path.startsWith(each));
  if (root === undefined) return undefined;
  const part = path.slice(root.length).split('/')[0] ?? '';
  return { part, layer: layersOf[root]?.findIndex((layer) => layer.includes(part)) ?? -1 };
};

const checkRelative = ({ from, target }: Edge): string | undefined => {
  const to = posix.join(posix.dirname(from), target.specifier);
  if (folderOf(to) !== folderOf(from)) return `${from} reaches into another package: ${target.specifier}`;
  const [above, below] = [placeOf(from), placeOf(to)];
  if (above === undefined || below === undefined) return undefined;
  if (below.layer === -1) return `${from} imports ${to}, which is in no layer`;
  const isSamePart = above.part === below.part;
  return isSamePart || above.layer < below.layer ? undefined : `${from} imports ${to}, which is beside or above it`;
};

const checkBare = ({ from, target }: Edge): string | undefined => {
  const library = packageOf(target.specifier);
  const home = libraryHomes[library];
  if (home?.every((folder) => !from.startsWith(folder)))
    return `${from} imports ${library}, which belongs to ${home.join(', ')}`;
  if (!library.startsWith('@carnet/')) return undefined;
  const allowed = workspaceImports[folderOf(from)] ?? [];
  if (allowed.includes(library) || allowed.includes(target.specifier)) return undefined;
  const isAllowedType = target.isTypeOnly && (typeImports[folderOf(from)] ?? []).includes(library);
  return isAllowedType ? undefined : `${from} may not import ${library}`;
};

const checkFile = (file: SourceFile): string[] => {
  const found: (string | undefined)[] = [];
  const place = placeOf(file.path);
  if (place?.layer === -1) found.push(`${file.path} is in no layer`);
  if (place !== undefined && file.readsEnvironment && !environmentHomes.includes(file.path)) {
    found.push(`${file.path} reads the environment, which belongs to ${environmentHomes.join(' and ')}`);
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
