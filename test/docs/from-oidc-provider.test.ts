import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { allKeys } from '@carnet/provider/config';
import { expect, test } from 'vitest';
import { commandSchema } from '../../packages/cli/src/config/schema.ts';

const page = readFileSync(new URL('../../docs/migrate/from-oidc-provider.md', import.meta.url), 'utf8');
const [, table = ''] = page.split('## Every configuration key');
const rows = [...table.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, key = '', counterpart = '']) => ({
  key,
  counterpart,
}));

const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** The paths of all settings. A group without a member is a setting. */
const keysIn = (group: Readonly<Record<string, unknown>>, prefix = ''): readonly string[] =>
  Object.entries(group).flatMap(([name, value]) =>
    isGroup(value) && Object.keys(value).length > 0 ? keysIn(value, `${prefix}${name}.`) : [prefix + name],
  );

/** The defaults are not exported. */
const readDefaults = async (): Promise<Readonly<Record<string, unknown>>> => {
  const provider = fileURLToPath(new URL('../../packages/provider/package.json', import.meta.url));
  const main = createRequire(provider).resolve('oidc-provider');
  const module = await import(pathToFileURL(join(dirname(main), 'helpers/defaults.js')).href);
  return module.defaults as Readonly<Record<string, unknown>>;
};

const covers = (row: string, key: string): boolean =>
  row.endsWith('.*') ? key.startsWith(row.slice(0, -1)) : row === key;

test('docs/migrate/from-oidc-provider.md has exactly one row for each configuration key of oidc-provider', async () => {
  const keys = keysIn(await readDefaults());
  expect(keys.length).toBeGreaterThan(150);
  const rowsOf = keys.map((key) => ({ key, rows: rows.filter((row) => covers(row.key, key)).length }));
  expect(rowsOf.filter((each) => each.rows !== 1)).toEqual([]);
  expect(rows.filter((row) => !keys.some((key) => covers(row.key, key))).map(({ key }) => key)).toEqual([]);
});

test('the table names settings of Carnet that exist', () => {
  const sections = new Set(allKeys(commandSchema).map((key) => key.split('.', 1)[0]));
  const named = rows
    .flatMap(({ counterpart }) => [...counterpart.matchAll(/`([a-z]\w*(?:\.\w+)+)`/g)].map(([, key = '']) => key))
    .filter((key) => sections.has(key.split('.', 1)[0] ?? ''));
  const known = allKeys(commandSchema);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((key) => !known.some((each) => each === key || each.startsWith(`${key}.`)))).toEqual([]);
});
