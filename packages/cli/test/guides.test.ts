import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '../src/config/load-config.ts';

/** The configurations in a guide, each with the name of the guide. */
const blocksOf = (guide: string): readonly (readonly [string, string])[] => {
  const text = readFileSync(new URL(`../../../docs/guides/${guide}`, import.meta.url), 'utf8');
  return [...text.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, block = ''], index) => [`${guide}, ${index}`, block]);
};

const directories = blocksOf('directories.md');

const folder = mkdtempSync(join(tmpdir(), 'guide-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The variables that the guide names. */
const secret = 'a secret of the tests';
const env = {
  ACCOUNTS_DIRECTORY_STAFF_BIND_PASSWORD: { value: secret, of: 'name: staff' },
  ACCOUNTS_DIRECTORY_SHOP_TOKEN: { value: secret, of: 'name: shop' },
  CLIENT_SHOP_SECRET: { value: secret, of: 'client_id: shop' },
  CLIENT_NIGHTLY_JOB_SECRET: { value: secret, of: 'client_id: nightly-job' },
};

test('docs/guides/directories.md has an example for each kind of directory', () => {
  const kinds = directories.flatMap(([, block]) => [...block.matchAll(/kind: (\w+)/g)].map(([, kind]) => kind));
  expect([...new Set(kinds)].toSorted()).toEqual(['file', 'http', 'ldap', 'sql']);
});

test.each([...directories, ...blocksOf('second-factors.md'), ...blocksOf('configured-clients.md')])(
  'Carnet accepts the example of %s',
  (name, block) => {
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, block);
    const named = Object.fromEntries(
      Object.entries(env)
        .filter(([, { of }]) => block.includes(of))
        .map(([name, { value }]) => [name, value]),
    );
    expect(() => loadConfig({ file, env: named, dev: true })).not.toThrow();
  },
);
