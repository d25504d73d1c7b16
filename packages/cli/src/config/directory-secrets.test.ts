import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { loadParts } from './load-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'carnet-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const directories = [
  { name: 'head-office', kind: 'ldap', urls: ['ldaps://ldap.test'], base: 'dc=test', bindDn: 'cn=reader' },
  { name: 'partners', kind: 'http', url: 'https://partners.test/check', token: 'from the list' },
];
const env = { ACCOUNTS_DATABASE: 'sqlite:accounts.db', ACCOUNTS_DIRECTORIES: JSON.stringify(directories) };

const load = (more: Record<string, string>) =>
  loadParts({ env: { ...env, ...more } }, ['accounts']).accounts?.directories;

it('each have a variable of their own, which overrides the list', () => {
  expect(
    load({ ACCOUNTS_DIRECTORY_HEAD_OFFICE_BIND_PASSWORD: 'one', ACCOUNTS_DIRECTORY_PARTNERS_TOKEN: 'two' }),
  ).toMatchObject([{ bindPassword: 'one' }, { token: 'two' }]);
});

it('are read from a file', () => {
  const file = join(folder, 'password');
  writeFileSync(file, 'secret\n');
  expect(load({ ACCOUNTS_DIRECTORY_HEAD_OFFICE_BIND_PASSWORD_FILE: file })).toMatchObject([
    { bindPassword: 'secret' },
    { token: 'from the list' },
  ]);
});

it('are missed with the name of the directory, and a list that is no JSON is refused', () => {
  expect(() => load({})).toThrow(/directory head-office: bindDn and bindPassword belong together/);
  expect(() => load({ ACCOUNTS_DIRECTORIES: '[{' })).toThrow(/ACCOUNTS_DIRECTORIES .*: JSON/);
});
