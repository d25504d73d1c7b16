import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { expect, it } from 'vitest';
import { loadParts } from './load-config.ts';

const folder = folderForTests();

const directories = [
  { name: 'head-office', kind: 'ldap', urls: ['ldaps://ldap.test'], base: 'dc=test', bindDn: 'cn=reader' },
  { name: 'partners', kind: 'http', url: 'https://partners.test/check', token: 'from the list' },
];
const env = { ACCOUNTS_DATABASE: 'sqlite:accounts.db', ACCOUNTS_DIRECTORIES: JSON.stringify(directories) };

const clients = [
  { client_id: 'shop-app', redirect_uris: ['https://shop.test/cb'], client_secret: 'a secret of the list' },
  { client_id: 'job', grant_types: ['client_credentials'] },
];
const loadClients = (env: Record<string, string>, items: readonly object[] = clients) =>
  loadParts({ env: { CLIENTS: JSON.stringify(items), ...env } }, ['clients']).clients;

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

it('of providers have variables and files as well', () => {
  const file = join(folder, 'key');
  writeFileSync(file, 'a key of the file\n');
  const corp = { name: 'head-office', kind: 'oidc', issuer: 'https://idp.test', clientId: 'carnet' };
  const settings = {
    ACCOUNTS_DATABASE: 'sqlite:accounts.db',
    ACCOUNTS_DIRECTORIES: '[{"name":"users","kind":"sql"}]',
    ACCOUNTS_PROVIDERS: JSON.stringify([corp, { ...corp, name: 'partner' }]),
    ACCOUNTS_PROVIDER_HEAD_OFFICE_CLIENT_SECRET: 'a secret of a variable',
    ACCOUNTS_PROVIDER_PARTNER_PRIVATE_KEY_FILE: file,
  };
  expect(loadParts({ env: settings }, ['accounts']).accounts?.providers).toMatchObject([
    { clientSecret: 'a secret of a variable' },
    { privateKey: 'a key of the file' },
  ]);
});

it('of SCIM tokens have variables and files as well', () => {
  const file = join(folder, 'scim-token');
  writeFileSync(file, 'a-token-of-the-scim-client-in-a-file');
  const settings = {
    ACCOUNTS_DATABASE: 'sqlite:accounts.db',
    ACCOUNTS_DIRECTORIES: '[{"name":"users","kind":"sql"}]',
    ACCOUNTS_SCIM_ENABLED: 'true',
    ACCOUNTS_SCIM_TOKENS: '[{"name":"okta"},{"name":"entra-id"}]',
    ACCOUNTS_SCIM_TOKEN_OKTA: 'a-token-of-the-scim-client-in-a-variable',
    ACCOUNTS_SCIM_TOKEN_ENTRA_ID_FILE: file,
  };
  expect(loadParts({ env: settings }, ['accounts']).accounts?.scim.tokens).toEqual([
    { name: 'okta', value: 'a-token-of-the-scim-client-in-a-variable' },
    { name: 'entra-id', value: 'a-token-of-the-scim-client-in-a-file' },
  ]);
});

it('of webhooks have variables as well, so that the file has neither URLs nor secrets', () => {
  const settings = {
    EVENTS_WEBHOOKS: '[{"name":"crm-one"}]',
    EVENTS_WEBHOOK_CRM_ONE_URL: 'https://crm.test/events',
    EVENTS_WEBHOOK_CRM_ONE_SECRET: `whsec_${'A'.repeat(43)}=`,
  };
  expect(loadParts({ env: settings }, ['events']).events?.webhooks).toMatchObject([{ url: 'https://crm.test/events' }]);
  expect(() => loadParts({ env: { ...settings, EVENTS_WEBHOOK_CRM_ONE_SECRET: 'whsec_short' } }, ['events'])).toThrow(
    /crm-one.*24 to 64 random bytes/,
  );
});

it('are missed with the name of the directory, and a list that is no JSON is refused', () => {
  expect(() => load({})).toThrow(/directory head-office: bindDn and bindPassword belong together/);
  expect(() => load({ ACCOUNTS_DIRECTORIES: '[{' })).toThrow(/ACCOUNTS_DIRECTORIES .*: JSON/);
});

it('of clients have variables and files as well', () => {
  const file = join(folder, 'secret');
  writeFileSync(file, 'a secret of the file\n');
  expect(loadClients({ CLIENT_SHOP_APP_SECRET: 'a secret of a variable', CLIENT_JOB_SECRET_FILE: file })).toMatchObject(
    [
      { client_id: 'shop-app', client_secret: 'a secret of a variable' },
      { client_id: 'job', client_secret: 'a secret of the file' },
    ],
  );
});

it('are missed with the variable that sets them', () => {
  const problem =
    /CLIENTS \(clients\.1\.client_secret of "job"\): is missing\. .*CLIENT_JOB_SECRET,.*CLIENT_JOB_SECRET_FILE/;
  expect(() => loadClients({})).toThrow(problem);
});

it('are refused if one variable belongs to two clients', () => {
  const two = [{ client_id: 'a.b' }, { client_id: 'a-b' }];
  expect(() => loadClients({ CLIENT_A_B_SECRET: 'a secret of which one' }, two)).toThrow(
    /CLIENT_A_B_SECRET: belongs to more than one client or directory/,
  );
});
