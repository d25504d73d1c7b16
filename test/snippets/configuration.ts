import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../packages/cli/src/config/load-config.ts';

const secret = 'a-secret-of-at-least-32-characters';

/** Variables that documents name beside a configuration, each with the text that makes it one of ours. */
const secrets = {
  ACCOUNTS_DIRECTORY_STAFF_BIND_PASSWORD: 'name: staff',
  ACCOUNTS_DIRECTORY_SHOP_TOKEN: 'name: shop',
  ACCOUNTS_SCIM_TOKEN: '  scim:',
  CLIENT_SHOP_SECRET: 'client_id: shop',
  CLIENT_NIGHTLY_JOB_SECRET: 'client_id: nightly-job',
};

/** The settings that a server needs and a document may leave out, with the keys that set them. */
const settings = {
  DATABASE_URL: { key: 'storage', value: 'sqlite:carnet.db' },
  SECRETS_SYSTEM: { key: 'secrets', value: secret },
  URLS_LOGIN: { key: 'urls', value: 'https://login.example.com/login' },
  URLS_CONSENT: { key: 'urls', value: 'https://login.example.com/consent' },
};

/** Also in dev mode, which would make keys for each configuration. */
const keys = { KEYS_SOURCE: { key: 'keys', value: 'store' } };

/** What the section `accounts` needs, of which an example may show one key. */
const accounts = {
  ACCOUNTS_DATABASE: { key: 'database', value: 'sqlite:accounts.db' },
  ACCOUNTS_DIRECTORIES: { key: 'directories', value: '[{"name":"users","kind":"sql"}]' },
  ACCOUNTS_MAIL_URL: { key: 'mail', value: 'smtps://mail.example.com' },
  ACCOUNTS_MAIL_FROM: { key: 'mail', value: 'accounts@example.com' },
};

const environmentOf = (text: string, isServer: boolean): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(secrets)
      .filter(([, sign]) => text.includes(sign))
      .map(([name]) => [name, secret]),
  ),
  ...Object.fromEntries(
    Object.entries({ ...(isServer && settings), ...keys })
      .filter(([, { key }]) => !new RegExp(`^${key}:`, 'm').test(text))
      .map(([name, { value }]) => [name, value]),
  ),
  ...Object.fromEntries(
    Object.entries(accounts)
      .filter(([, { key }]) => /^accounts:/m.test(text) && !new RegExp(`^ +${key}:`, 'm').test(text))
      .map(([name, { value }]) => [name, value]),
  ),
});

/** The problem of a configuration, as `carnet serve` reports it. Undefined if it is accepted. */
export const configurationProblem = (text: string): string | undefined => {
  const folder = mkdtempSync(join(tmpdir(), 'snippet-'));
  const file = join(folder, 'carnet.yaml');
  try {
    writeFileSync(file, text);
    const isServer = /^issuer: https/m.test(text);
    loadConfig({ file, env: environmentOf(text, isServer), dev: !isServer });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    rmSync(folder, { recursive: true });
  }
};
