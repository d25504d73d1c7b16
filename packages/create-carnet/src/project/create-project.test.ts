import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { folderForTests } from '../../../../test/servers/src/folder-for-tests.ts';
import { type Choices, defaults, frameworks, pageKinds, stores } from '../choices/choices.ts';
import { createProject, projectFiles } from './create-project.ts';

const folder = folderForTests();

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const { catalog } = parse(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')) as {
  catalog: Record<string, string>;
};

interface Manifest {
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const manifestOf = (files: ReadonlyMap<string, string>): Manifest => JSON.parse(files.get('package.json') ?? '');

/** Every combination of the answers. */
const combinations: readonly Choices[] = frameworks.flatMap((framework) =>
  stores.flatMap((store) =>
    pageKinds.flatMap((pages) => [false, true].map((mcp) => ({ folder: 'my-app', framework, store, pages, mcp }))),
  ),
);

const titleOf = ({ framework, store, pages, mcp }: Choices): string =>
  [framework, store, pages, mcp && 'mcp'].join(' ');

/** The names that modules import from other files of the project, and that these do not export. */
const missingNames = (files: ReadonlyMap<string, string>): readonly string[] =>
  [...files].flatMap(([path, text]) =>
    [...text.matchAll(/import (?:type )?\{([^}]+)\} from '(\.[^']+)'/g)].flatMap(([, names = '', specifier = '']) => {
      const target = files.get(join(dirname(path), specifier)) ?? '';
      const wanted = names.split(',').map((name) => name.replace(/^\s*type /, '').trim());
      const isExported = (name: string) => new RegExp(`export [^;]*\\b${name}\\b`).test(target);
      return wanted.filter((name) => name !== '' && !isExported(name)).map((name) => `${path}: ${name}`);
    }),
  );

/** The specifiers that a module imports. */
const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(/(?:from|import) '([^']+)'|import\('([^']+)'\)/g)].map(([, one, other]) => one ?? other ?? '');

describe.each(combinations.map((choices) => ({ title: titleOf(choices), choices })))('$title', ({ choices }) => {
  test('has no marker and no placeholder of the templates', async () => {
    for (const [path, text] of await projectFiles(choices))
      expect(`${path}: ${text}`).not.toMatch(/@if|@end|\{\{\w+\}\}/);
  });

  test('imports its own files and its dependencies only, and has no dependency that it does not use', async () => {
    const files = await projectFiles(choices);
    const { scripts, dependencies } = manifestOf(files);
    const used = new Set<string>(
      Object.values(scripts).flatMap((script) => (script.startsWith('carnet ') ? '@carnet/cli' : [])),
    );
    const missing: string[] = [];
    for (const [path, text] of files) {
      if (!/\.[jt]s$/.test(path)) continue;
      for (const specifier of importsOf(text).filter((each) => !each.startsWith('node:'))) {
        const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
        used.add(name);
        const isThere = specifier.startsWith('.') ? files.has(join(dirname(path), specifier)) : name in dependencies;
        if (!isThere) missing.push(`${path}: ${specifier}`);
      }
    }
    expect([...missing, ...missingNames(files)]).toEqual([]);
    // Carnet loads these by name; Next.js runs React.
    const loaded = /^(?:@carnet\/(?:adapter-.*|accounts|accounts-sql)|next|react|react-dom)$/;
    expect(Object.keys(dependencies).filter((name) => !used.has(name) && !loaded.test(name))).toEqual([]);
  });
});

test('depends on the versions that this workspace tests, and on its own version of Carnet', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'packages/create-carnet/package.json'), 'utf8'));
  const wrong = (await Promise.all(combinations.map(projectFiles))).flatMap((files) => {
    const { dependencies, devDependencies } = manifestOf(files);
    return Object.entries({ ...dependencies, ...devDependencies }).filter(([name, range]) => {
      const tested = name.startsWith('@carnet/') ? version : catalog[name]?.replace('^', '');
      return range !== `^${tested}`;
    });
  });
  expect(wrong).toEqual([]);
});

test('each project has secrets of its own, which only the owner of the folder can read', async () => {
  const read = async (name: string): Promise<Record<string, string>> => {
    await createProject({ ...defaults, folder: name, pages: 'bundled' }, folder);
    expect(statSync(join(folder, name, '.env')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, name, '.gitignore'), 'utf8')).toMatch(/^\.env$/m);
    const lines = readFileSync(join(folder, name, '.env'), 'utf8').split('\n');
    return Object.fromEntries(lines.flatMap((line) => (/^\w+=/.test(line) ? [line.split('=', 2)] : [])));
  };
  const [one, other] = [await read('one'), await read('other')];
  const secrets = ['SECRETS_SYSTEM', 'CLIENT_DEMO_SECRET', 'ADMIN_TOKEN', 'UI_COOKIE_SECRET'];
  expect(new Set(secrets.flatMap((name) => [one[name], other[name]])).size).toBe(8);
  for (const name of secrets) expect(one[name]).toMatch(/^[\w-]{43}$/);
});

test('a folder with a file is refused, and stays as it is', async () => {
  const cwd = mkdtempSync(join(folder, 'full-'));
  writeFileSync(join(cwd, 'notes.txt'), '');
  await expect(createProject({ ...defaults, folder: '.' }, cwd)).rejects.toThrow(/is not empty: it has notes\.txt/);
  await expect(createProject({ ...defaults, folder: 'notes.txt' }, cwd)).rejects.toThrow(/is a file/);
});
