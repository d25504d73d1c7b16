import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allKeys, isSecretKey } from '@carnet/provider/config';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../packages/cli/src/config/load-config.ts';
import { commandSchema } from '../../../packages/cli/src/config/schema.ts';
import { variableFor } from '../../../packages/cli/src/config/variables.ts';
import { readConfig } from '../../../packages/consent-ui/src/settings/config.ts';
import { fromEnvironment } from '../../../packages/consent-ui/src/settings/read-settings.ts';
import { accepted, least } from './cases.ts';
import {
  type Container,
  containersOf,
  environmentOf,
  type KubernetesObject,
  objectOf,
  podsOf,
  secretData,
} from './objects.ts';
import { renderChart } from './render.ts';
import { findTools } from './tools.ts';

const tools = await findTools();
const folder = folderForTests();

const secretKeys = allKeys(commandSchema).filter(
  (key) =>
    isSecretKey(commandSchema, key) &&
    !['accounts.directories', 'accounts.providers', 'accounts.scim.tokens', 'admin.tokens'].includes(key) &&
    !['clients', 'events.webhooks', 'issuers'].includes(key),
);

/** The Secrets that an operator creates for the case `an own Secret`. */
const ownSecrets = (): KubernetesObject[] => {
  const encoded = (data: Record<string, string>) =>
    Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
  const url = 'postgres://carnet:password@postgres/carnet';
  const secret = (name: string, data: Record<string, string>): KubernetesObject => ({
    ...{ apiVersion: 'v1', kind: 'Secret' },
    ...{ metadata: { name }, data: encoded(data) },
  });
  return [
    secret('own', {
      ...{ DATABASE_URL: url, ACCOUNTS_DATABASE: url },
      ...{ SECRETS_SYSTEM: 's'.repeat(32), ADMIN_TOKEN: 't'.repeat(32) },
    }),
    secret('own-ui', { UI_COOKIE_SECRET: 'u'.repeat(32) }),
  ];
};

/** Whether a container runs `carnet serve` or `carnet ui`. */
const runs =
  (command: string) =>
  ({ args }: Container): boolean =>
    args?.[0] === command;

type Tree = Record<string, unknown>;

/** Sets a key such as `oidc.subjectIdentifiers.pairwise.salt`. */
const setKey = (tree: Tree, key: string, value: unknown): void => {
  const steps = key.split('.');
  let at = tree;
  for (const step of steps.slice(0, -1)) {
    at[step] ??= {};
    at = at[step] as Tree;
  }
  at[steps.at(-1) as string] = value;
};

/** A different valid value for each secret key. */
const secretOf = (key: string): string => {
  if (key.startsWith('storage.') || key === 'accounts.database')
    return `postgres://carnet:secret-of-${key}@postgres/db`;
  if (key === 'keys.signer' || key === 'keys.sealedBy') return `vault:transit/secret-of-${key}`;
  if (key === 'accounts.mail.url') return `smtps://user:secret-of-${key}@mail.example.com`;
  return key.endsWith('.url') ? `https://app.example.com/?secret-of-${key}` : `secret-of-${key}-0123456789-0123456789`;
};

describe.skipIf(!tools.isReady)('the settings that the chart renders', () => {
  const { helm } = tools;

  test.each(Object.entries(accepted))('%s: Carnet accepts them without a warning', async (name, values) => {
    const { objects } = await renderChart(helm, values);
    const all = [...objects, ...ownSecrets()];
    const pods = podsOf(objects);
    const server = pods.flatMap(containersOf).find(runs('serve')) as Container;
    const file = join(folder, 'carnet.yaml');
    const configMap = objects.find(({ kind }) => kind === 'ConfigMap') as KubernetesObject;
    writeFileSync(file, configMap.data?.['carnet.yaml'] ?? '');
    // The image sets HOST.
    const env = { CARNET_STRICT: '1', HOST: '0.0.0.0', ...environmentOf(all, server) };
    const { config, warnings } = loadConfig({ file, env });
    expect(warnings).toEqual([]);
    expect(env).toMatchObject({
      NODE_ENV: 'production',
      CARNET_ADMIN_URL: `http://127.0.0.1:${config.admin.port}`,
    });
    expect(config.public.host).toBe(config.admin.host);
    expect(config.admin.token?.length).toBeGreaterThan(30);
    expect(server.ports).toEqual([
      { name: 'http-public', containerPort: config.public.port },
      { name: 'http-admin', containerPort: config.admin.port },
    ]);

    const pages = pods.flatMap(containersOf).find(runs('ui'));
    expect(pages === undefined).toBe(['as little as possible', 'own pages'].includes(name));
    if (pages === undefined) return;
    const ui = readConfig(fromEnvironment(environmentOf(all, pages)));
    expect(ui).toMatchObject({ adminToken: config.admin.token, secureCookies: true });
    expect(ui.issuer.href.replace(/\/$/, '')).toBe(config.issuer);
    expect(config.urls.login).toBe(new URL('/login', ui.uiUrl).href);
    expect(config.accounts).toBeDefined();
    const service = objectOf(objects, 'Service', ui.adminUrl.hostname);
    expect(String(service.spec.ports[0].port)).toBe(ui.adminUrl.port);
  });

  test('every secret of the configuration is in the Secret, and in no other object', async () => {
    const config: Tree = { issuer: 'https://id.example.com' };
    for (const key of secretKeys) setKey(config, key, key === 'secrets.system' ? [secretOf(key)] : secretOf(key));
    const { objects } = await renderChart(helm, { carnet: { config } });
    const data = secretData(objectOf(objects, 'Secret', 'carnet'));
    expect(data).toEqual(Object.fromEntries(secretKeys.map((key) => [variableFor(key), secretOf(key)])));
    const open = JSON.stringify(objects.filter(({ kind }) => kind !== 'Secret'));
    expect(open).toContain('id.example.com');
    expect(open).not.toContain('secret-of-');
  });

  test('the section with further issuers, which may hold secrets, is in the Secret as a whole', async () => {
    const clients = [
      { client_id: 'shop', client_secret: 'the-secret-of-the-shop', redirect_uris: ['https://a.example.com'] },
    ];
    const issuers = { acme: { issuer: 'https://acme.example.com', clients } };
    const { objects } = await renderChart(helm, { carnet: { config: { ...least.carnet.config, issuers } } });
    const data = secretData(objectOf(objects, 'Secret', 'carnet'));
    expect(JSON.parse(data.ISSUERS ?? '')).toEqual(issuers);
    const open = JSON.stringify(objects.filter(({ kind }) => kind !== 'Secret'));
    expect(open).toContain(least.carnet.config.issuer);
    expect(open).not.toMatch(/the-secret-of-the-shop|acme/);
  });

  test('secrets of directories, providers and clients are in the Secret', async () => {
    const { text, objects } = await renderChart(helm, accepted.everything as object);
    const data = secretData(objectOf(objects, 'Secret', 'carnet-id'));
    expect(data.ACCOUNTS_DIRECTORY_THE_STAFF_BIND_PASSWORD).toBe('ldap-password');
    expect(data.ACCOUNTS_PROVIDER_HEAD_OFFICE_CLIENT_SECRET).toBe('provider-secret');
    expect(data.CLIENT_SHOP_APP_SECRET).toBe('the-secret-of-the-shop');
    expect(text).not.toMatch(/ldap-password|provider-secret|the-secret-of-the-shop/);
  });

  test('the private key of a provider is in the Secret', async () => {
    const provider = { name: 'corp', kind: 'oidc', issuer: 'https://idp.example.com', clientId: 'carnet' };
    const config = {
      issuer: 'https://id.example.com',
      storage: { default: 'postgres://carnet:password@postgres/carnet' },
      accounts: { providers: [{ ...provider, privateKey: 'the-key-of-the-provider' }] },
    };
    const { text, objects } = await renderChart(helm, { carnet: { config } });
    expect(secretData(objectOf(objects, 'Secret', 'carnet')).ACCOUNTS_PROVIDER_CORP_PRIVATE_KEY).toBe(
      'the-key-of-the-provider',
    );
    expect(text).not.toContain('the-key-of-the-provider');
  });

  test('the value of a SCIM token is in the Secret', async () => {
    const config = {
      issuer: 'https://id.example.com',
      storage: { default: 'postgres://carnet:password@postgres/carnet' },
      accounts: {
        scim: { enabled: true, tokens: [{ name: 'entra-id', value: 'the-token-of-the-scim-client-entra' }] },
      },
    };
    const { text, objects } = await renderChart(helm, { carnet: { config } });
    expect(secretData(objectOf(objects, 'Secret', 'carnet')).ACCOUNTS_SCIM_TOKEN_ENTRA_ID).toBe(
      'the-token-of-the-scim-client-entra',
    );
    expect(text).not.toContain('the-token-of-the-scim-client-entra');
  });

  test('the URL and the secret of a webhook are in the Secret', async () => {
    const webhook = {
      name: 'to-app',
      url: 'https://app.example.com/the-path-of-the-hook',
      secret: 'the-secret-of-the-hook',
    };
    const config = {
      issuer: 'https://id.example.com',
      storage: { default: 'postgres://carnet:password@postgres/carnet' },
      events: { webhooks: [webhook] },
    };
    const { text, objects } = await renderChart(helm, { carnet: { config } });
    expect(secretData(objectOf(objects, 'Secret', 'carnet'))).toMatchObject({
      EVENTS_WEBHOOK_TO_APP_URL: webhook.url,
      EVENTS_WEBHOOK_TO_APP_SECRET: webhook.secret,
    });
    expect(text).not.toMatch(/the-path-of-the-hook|the-secret-of-the-hook/);
  });

  test('secrets that are not set are long and random', async () => {
    const once = async () => secretData(objectOf((await renderChart(helm, least)).objects, 'Secret', 'carnet'));
    const [one, other] = [await once(), await once()];
    for (const key of ['SECRETS_SYSTEM', 'ADMIN_TOKEN']) {
      expect(one[key]).toMatch(/^[A-Za-z0-9]{48}$/);
      expect(one[key]).not.toBe(other[key]);
    }
  });
});
