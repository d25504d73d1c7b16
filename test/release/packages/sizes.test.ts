import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { createProject } from '../create/project.ts';
import { createFolder, npmInstall } from '../user/folder.ts';

const document = fileURLToPath(new URL('../../../docs/reference/install-sizes.md', import.meta.url));

/** Installs into an empty folder. Resolves with the folder. */
const install = async (...packages: readonly string[]): Promise<string> => {
  const folder = createFolder('size');
  await npmInstall(folder, packages);
  return folder;
};

const standAlone = ['--framework', 'standalone', '--store', 'sqlite', '--pages', 'bundled'];

/** What users install, and how many megabytes `node_modules` may have: a little more than it has. */
const installs = [
  { name: '`@carnet/provider @carnet/adapter-sqlite`', atMost: 40 },
  { name: '`@carnet/provider @carnet/adapter-postgres`', atMost: 50 },
  { name: '`@carnet/consent-ui`', atMost: 35 },
  { name: '`@carnet/cli`', atMost: 45 },
  { name: '`@carnet/cli @carnet/adapter-postgres @carnet/accounts-sql`', atMost: 70 },
  { name: '`@carnet/cli @carnet/consent-ui`', atMost: 80 },
  { name: 'a stand-alone server of `npm create carnet`, with its pages', atMost: 110 },
] as const;

const create = async (): Promise<string> => (await createProject(standAlone)).folder;

const folderOf = (name: string): Promise<string> =>
  name.startsWith('`') ? install(...name.replaceAll('`', '').split(' ')) : create();

/** The size on disk in MB (`du -sm`), and how many packages there are. */
const measure = (folder: string): { megabytes: number; packages: number } => {
  const lock = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  const megabytes = Number.parseInt(
    execFileSync('du', ['-sm', join(folder, 'node_modules')], { encoding: 'utf8' }),
    10,
  );
  return { megabytes, packages: Object.keys(lock.packages).length };
};

const rows: string[] = [];

describe('the installed size', () => {
  test.each(installs)('of $name is at most $atMost MB', async ({ name, atMost }) => {
    const folder = await folderOf(name);
    const { megabytes, packages } = measure(folder);
    console.log(`${name}: ${megabytes} MB, ${packages} packages`);
    rows.push(`| ${name} | ${megabytes} MB | ${packages} |`);
    expect(megabytes).toBeLessThanOrEqual(atMost);
  });

  afterAll(() => {
    if (process.env.WRITE_SIZES !== '1') return;
    const text = readFileSync(document, 'utf8');
    writeFileSync(document, text.replace(/(\| --- \| --- \| --- \|\n)(?:\|.*\n)*/, `$1${rows.join('\n')}\n`));
  });
});
