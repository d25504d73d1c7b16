import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { violations } from './architecture/layering.ts';
import { parseSource } from './architecture/source-file.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const sources = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !/\.test\.tsx?$/.test(path))
  .map((path) => parseSource(path, readFileSync(`${root}/${path}`, 'utf8')));

describe('the workspace', () => {
  it('imports only in the directions the tables of layering.ts allow', () => {
    expect(violations(sources)).toEqual([]);
  });

  it('is read whole', () => {
    const paths = sources.map((source) => source.path);
    for (const path of ['cli/src/main.ts', 'provider/src/errors.ts', 'adapter-contract/src/port.ts']) {
      expect(paths).toContain(`packages/${path}`);
    }
    const homes = ['packages/cli/src/env.ts', 'packages/provider/src/config/production.ts'];
    const readers = sources.filter(({ path, readsEnvironment }) => homes.includes(path) && readsEnvironment);
    expect(readers).toHaveLength(homes.length);
  });
});

describe('the check itself', () => {
  const check = (path: string, text: string) => violations([parseSource(`packages/${path}`, text)]);

  it.each([
    ['an import upwards', 'provider/src/http/a.ts', "import { b } from '../library/b.ts';"],
    ['an import sideways', 'provider/src/flow/a.ts', "import { b } from '../clients/b.ts';"],
    ['a type taken from above', 'provider/src/keys/a.ts', "import type { B } from '../config/b.ts';"],
    ['a re-export from above', 'provider/src/flow/a.ts', "export { b } from '../admin/b.ts';"],
    ['an import() from above', 'provider/src/storage/a.ts', "const b = await import('../flow/b.ts');"],
    ['errors.ts importing anything', 'provider/src/errors.ts', "import { b } from './http/b.ts';"],
    ['the entry point from below', 'provider/src/create-provider.ts', "import './index.ts';"],
    ['a new folder', 'provider/src/utils/a.ts', 'export {};'],
    ['an import of a folder that is in no layer', 'provider/src/exports/a.ts', "import '../utils/a.ts';"],
    ['a relative path into another package', 'cli/src/serve/a.ts', "import '../../../provider/src/index.ts';"],
    ['a command that imports another one', 'cli/src/keys/a.ts', "import { b } from '../doctor/b.ts';"],
    ['a provider that imports the command', 'provider/src/http/a.ts', "import '@carnet/cli';"],
    ['a command that imports an adapter', 'cli/src/stores/a.ts', "import '@carnet/adapter-sqlite';"],
    ['oidc-provider outside its folders', 'provider/src/flow/a.ts', "import { errors } from 'oidc-provider';"],
    [
      'a file of oidc-provider outside its folders',
      'provider/src/flow/a.ts',
      "import 'oidc-provider/lib/helpers/x.js';",
    ],
    ['pg outside its adapter', 'adapter-sqlite/src/a.ts', "import pg from 'pg';"],
    ['kysely in the provider', 'provider/src/storage/a.ts', "import type { Kysely } from 'kysely';"],
    ['ioredis outside its adapter', 'adapter-memory/src/a.ts', "import { Redis } from 'ioredis';"],
    ['node:sqlite outside its adapter', 'provider/src/storage/a.ts', "import { DatabaseSync } from 'node:sqlite';"],
    ['an adapter that the provider names', 'provider/src/storage/a.ts', "await import('@carnet/adapter-memory');"],
    ['an adapter that imports the provider', 'adapter-redis/src/a.ts', "import '@carnet/provider';"],
    [
      'a UI that runs code of the provider',
      'consent-ui/src/a.ts',
      "import { createProvider } from '@carnet/provider';",
    ],
    ['a package that no table knows', 'stray/src/a.ts', 'export {};'],
    ['process.env', 'provider/src/config/a.ts', 'const level = process.env.LOG_LEVEL;'],
    ["process['env']", 'cli/src/serve/a.ts', "const level = process['env'];"],
    ['globalThis.process.env', 'cli/src/run.ts', 'const level = globalThis.process.env;'],
    ['env taken out of process', 'cli/src/config/a.ts', 'const { env } = process;'],
    ['env imported from node:process', 'cli/src/main.ts', "import { env } from 'node:process';"],
  ])('finds %s', (_title, path, text) => {
    expect(check(path, text)).toHaveLength(1);
  });

  it.each([
    ['an import downwards', 'provider/src/library/a.ts', "import { b } from '../flow/b.ts';"],
    ['an import over several layers', 'provider/src/exports/a.ts', "import { b } from '../errors.ts';"],
    ['a command that imports a subpath of the provider', 'cli/src/keys/a.ts', "import '@carnet/provider/keys';"],
    ['an import within a folder', 'provider/src/library/deep/a.ts', "import { b } from '../b.ts';"],
    ['oidc-provider in library/', 'provider/src/library/a.ts', "import Provider from 'oidc-provider';"],
    ['an adapter loaded by name', 'provider/src/storage/a.ts', 'await import(name);'],
    ['an adapter that keeps to the contract', 'adapter-redis/src/a.ts', "import '@carnet/adapter-contract/laws';"],
    ['a UI that knows types of the provider', 'consent-ui/src/a.tsx', "import type { Wire } from '@carnet/provider';"],
    [
      'what stands in a comment or a text',
      'provider/src/errors.ts',
      '// process.env\nexport const a = "import \'../x\'";',
    ],
  ])('lets %s pass', (_title, path, text) => {
    expect(check(path, text)).toEqual([]);
  });
});
