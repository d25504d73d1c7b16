import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { circles } from './architecture/circles.ts';
import { textsInJsx } from './architecture/jsx-texts.ts';
import { violations } from './architecture/layering.ts';
import { privateWords, privateWordsOverCeiling } from './architecture/private-words.ts';
import { unexportedTypes } from './architecture/public-types.ts';
import { overCeiling, tooLong } from './architecture/sizes.ts';
import { parseSource } from './architecture/source-file.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The files of the patterns. Folders that git ignores are not entered: they hold most of the files here. */
const filesOf = (patterns: string | readonly string[]): string[] =>
  globSync(patterns, { cwd: root, exclude: (name) => ['node_modules', 'dist', '.next'].includes(basename(name)) }).map(
    (path) => path.replaceAll('\\', '/'),
  );

const parse = (path: string) => parseSource(path, readFileSync(`${root}/${path}`, 'utf8'));

const sources = filesOf('packages/*/src/**/*.{ts,tsx}')
  .filter((path) => !/\.test\.tsx?$/.test(path))
  .map(parse);

describe('the workspace', () => {
  it('imports only in the directions the tables of layering.ts allow', () => {
    expect(violations(sources)).toEqual([]);
  });

  it('has no circle of files that import each other', () => {
    expect(circles(sources)).toEqual([]);
  });

  it('has no file of more than 255 lines, and no function of more than 60', () => {
    expect(tooLong(sources)).toEqual([]);
  });

  it('has no folder of the provider that has grown', () => {
    expect(overCeiling(sources)).toEqual([]);
  });

  it('names nothing by a word that only its authors know', () => {
    expect(privateWords(sources)).toEqual([]);
  });

  it('adds no private word to its tests, and no vague name anywhere', () => {
    const patterns = ['packages/*/{src,test}/**/*.{ts,tsx}', 'test/**/*.ts', 'bench/**/*.ts', 'examples/**/*.ts'];
    const parsed = new Map(sources.map((source) => [source.path, source]));
    const files = filesOf(patterns)
      .filter((path) => !/^test\/(architecture|style)/.test(path))
      .map((path) => parsed.get(path) ?? parse(path));
    expect(files.length).toBeGreaterThan(1_000);
    expect(privateWordsOverCeiling(files)).toEqual([]);
  });

  it('registers no hook where a module of the tests is loaded: files of one worker load it once', () => {
    const onlyInSlowTests = ['packages/provider/test/stores/test-stores.ts'];
    const modules = filesOf(['packages/*/test/**/*.ts', 'test/**/*.ts', 'examples/**/*.ts']).filter(
      (path) => !/\.test\.ts$|^test\/(release|browser)\//.test(path) && !onlyInSlowTests.includes(path),
    );
    expect(modules.length).toBeGreaterThan(100);
    const hook = /^(after|before)(All|Each)\(/m;
    expect(modules.filter((path) => hook.test(readFileSync(`${root}/${path}`, 'utf8')))).toEqual([]);
  });

  it('has no text for users outside of the dictionaries of the UI', () => {
    const pages = globSync('packages/consent-ui/src/**/*.tsx', { cwd: root });
    expect(pages.length).toBeGreaterThan(5);
    expect(pages.flatMap((path) => textsInJsx(path, readFileSync(`${root}/${path}`, 'utf8')))).toEqual([]);
  });

  it.each(['provider', 'adapter-mysql', 'adapter-postgres', 'adapter-redis', 'adapter-sqlite'])(
    'exports every type in a public signature of %s',
    (name) => {
      expect(unexportedTypes(`${root}/packages/${name}/src/index.ts`)).toEqual([]);
    },
  );

  it('includes every source file', () => {
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

  const parse = (files: Readonly<Record<string, string>>) =>
    Object.entries(files).map(([path, text]) => parseSource(`packages/provider/src/${path}`, text));

  it('finds circles of files, through types and over several files', () => {
    const files = parse({
      'flow/a.ts': "import { b } from './b.ts';",
      'flow/b.ts': "export type { C } from './deep/c.ts';",
      'flow/deep/c.ts': "import type { A } from '../a.ts';",
      'flow/d.ts': "import { a } from './a.ts';",
    });
    const members = ['a.ts', 'b.ts', 'deep/c.ts'].map((name) => `packages/provider/src/flow/${name}`);
    expect(circles(files)).toEqual([members]);
  });

  it('finds two circles that share no file, and none in a diamond', () => {
    const files = parse({
      'flow/a.ts': "import './b.ts'; import './c.ts';",
      'flow/b.ts': "import './d.ts';",
      'flow/c.ts': "import './d.ts'; import './e.ts';",
      'flow/d.ts': '',
      'flow/e.ts': "import './f.ts';",
      'flow/f.ts': "import './e.ts';",
      'keys/a.ts': "import './b.ts';",
      'keys/b.ts': "import './a.ts';",
    });
    expect(circles(files)).toHaveLength(2);
  });

  it('finds long files and long functions', () => {
    const body = '\n'.repeat(60);
    const files = parse({
      'flow/a.ts': '\n'.repeat(256),
      'flow/b.ts': `const b = () => {${body}};`,
      'flow/c.ts': `export const flowRoutes = () => {${body}};`,
      'flow/d.ts': `function d() {${body}}`,
    });
    expect(tooLong(files).map((problem) => problem.split(' ', 1)[0])).toEqual([
      'packages/provider/src/flow/a.ts',
      'b',
      'flowRoutes',
      'd',
    ]);
  });

  it.each([
    '<p>Sign in</p>',
    '<img alt="A logo" />',
    '<button aria-label="Close" type="submit" />',
    '<Notice title="Sign in" />',
    "<p>{name}{isDevice && ' on the device'}</p>",
  ])('finds the text for users in %s', (jsx) => {
    expect(textsInJsx('a.tsx', `const a = () => ${jsx};`)).toHaveLength(1);
  });

  it.each(['<p className="lead">{text.lead} · </p>', '<input name="email" type="text" />', "<p>{a}{' '}{b}</p>"])(
    'lets %s pass',
    (jsx) => {
      expect(textsInJsx('a.tsx', `const a = () => ${jsx};`)).toEqual([]);
    },
  );

  it.each(['lean/a.ts', 'a-stranger.ts', 'person.ts'])('finds the private word of the file name %s', (path) => {
    expect(privateWords(parse({ [path]: '' }))).toHaveLength(1);
  });

  it('counts the files of a private word or a vague name, and accepts them up to the ceiling', () => {
    const files = parse({
      'a.ts': 'const known = 1;',
      'b.ts': 'const stranger = known;',
      'c.ts': 'const unknown = 1;',
    });
    expect(privateWordsOverCeiling(files, {})).toHaveLength(2);
    expect(privateWordsOverCeiling(files, { known: 2, stranger: 0 })).toHaveLength(1);
    expect(privateWordsOverCeiling(files, { known: 2, stranger: 1 })).toEqual([]);
  });

  it.each(['isVouched', 'handOver', 'createGoingOn', 'lanes'])('finds the private word of %s', (name) => {
    expect(privateWords(parse({ 'flow/a.ts': `const ${name} = 1;` }))).toHaveLength(1);
  });

  it.each(['clean', 'personal', 'planes', 'overhand', 'teller'])('lets the name %s pass', (name) => {
    expect(privateWords(parse({ 'flow/a.ts': `const ${name} = 1;` }))).toEqual([]);
  });
});
