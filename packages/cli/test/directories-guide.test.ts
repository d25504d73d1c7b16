import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '../src/config/load-config.ts';

const guide = readFileSync(new URL('../../../docs/directories.md', import.meta.url), 'utf8');
const blocks = [...guide.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, block = '']) => block);

const folder = mkdtempSync(join(tmpdir(), 'guide-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The variables that the guide names. */
const env = { ACCOUNTS_DIRECTORY_STAFF_BIND_PASSWORD: 'secret', ACCOUNTS_DIRECTORY_SHOP_TOKEN: 'secret' };

test('docs/directories.md has an example for each kind of directory', () => {
  const kinds = blocks.flatMap((block) => [...block.matchAll(/kind: (\w+)/g)].map(([, kind]) => kind));
  expect([...new Set(kinds)].toSorted()).toEqual(['file', 'http', 'ldap', 'sql']);
});

test.each(blocks.map((block, index) => [index, block] as const))('Carnet accepts example %i', (index, block) => {
  const file = join(folder, `${index}.yaml`);
  writeFileSync(file, block);
  const named = Object.fromEntries(
    Object.entries(env).filter(([name]) => block.includes(`name: ${name.split('_')[2]?.toLowerCase()}`)),
  );
  expect(() => loadConfig({ file, env: named, dev: true })).not.toThrow();
});
