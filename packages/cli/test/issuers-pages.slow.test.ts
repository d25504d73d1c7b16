import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort, signInAtPages } from '@carnet/test-servers';
import { beforeAll, expect, it } from 'vitest';
import { createBrowser } from '../../provider/test/browser.ts';
import { sendJson } from '../../provider/test/call.ts';
import { redirectUri } from '../../provider/test/clients.ts';
import { authorizationUrl, begin } from '../../provider/test/login.ts';
import { main, startProgram, temporaryFolder } from './start-program.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const client = { id: 'app', secret: 'the secret of the app, long enough' };

beforeAll(() => {
  // Builds the pages if a source has changed.
  execFileSync(process.execPath, ['scripts/setup.mjs'], { cwd: root });
}, 300_000);

/** Dev mode adds none to an issuer with a login page of its own. */
const accounts =
  'accounts: { database: "sqlite:accounts.db", migrate: true, directories: [{ name: users, kind: sql }], demoUser: true }';

const urlsAt = (pages: string): string =>
  `{ login: "${pages}/login", consent: "${pages}/consent", logout: "${pages}/logout", error: "${pages}/error" }`;

/** The set-up of docs/guides/several-issuers.md: one `carnet serve`, and one `carnet ui` for each issuer. */
const start = async () => {
  const ports = [await findFreePort(), await findFreePort(), await findFreePort(), await findFreePort()] as const;
  const [port, adminPort, acmePort, shopPort] = ports;
  const issuers = { acme: `http://localhost:${port}`, shop: `http://127.0.0.1:${port}/shop` };
  const pages = { acme: `http://localhost:${acmePort}`, shop: `http://localhost:${shopPort}` };
  const tokens = { acme: 'a-token-of-the-pages-of-acme', shop: 'a-token-of-the-pages-of-shop' };
  const section = (name: keyof typeof issuers): string[] => [
    `  ${name}:`,
    `    issuer: ${issuers[name]}`,
    `    urls: ${urlsAt(pages[name])}`,
    `    admin: { tokens: [{ name: ${name}-pages, rights: [all], value: ${tokens[name]} }] }`,
  ];
  const folder = temporaryFolder();
  const file = join(folder, 'carnet.yaml');
  const lines = [`issuer: http://127.0.0.1:${port}`, 'limits: { requestsPerSecond: 200 }', accounts, 'issuers:'];
  writeFileSync(file, [...lines, ...section('acme'), ...section('shop')].join('\n'));
  const env = { PORT: String(port), ADMIN_PORT: String(adminPort) };
  const server = startProgram(main, ['serve', '--dev', '--config', file], env, folder);
  await server.line('"msg":"ready"');
  const names = ['acme', 'shop'] as const;
  for (const name of names) {
    const program = startProgram(main, ['ui'], {
      CARNET_ISSUER: issuers[name],
      CARNET_ADMIN_URL: `http://127.0.0.1:${adminPort}/issuers/${name}`,
      CARNET_ADMIN_TOKEN: tokens[name],
      UI_COOKIE_SECRET: 'one-secret-in-a-file-that-both-units-read',
      UI_NAME: `Pages of ${name}`,
      PORT: new URL(pages[name]).port,
    });
    await program.line('The pages are ready at');
  }
  const at = (name: (typeof names)[number]) => ({
    issuer: issuers[name],
    admin: `http://127.0.0.1:${adminPort}/issuers/${name}`,
    pages: pages[name],
    token: tokens[name],
  });
  return { names, at };
};

it('one `carnet ui` for each issuer signs users in at its issuer, and decides no challenge of another', async () => {
  const { names, at } = await start();
  for (const name of names) {
    const { url, html } = await signInAtPages(`${at(name).pages}/account`, 'demo@example.com', 'carnet-demo');
    expect(url).toBe(`${at(name).pages}/account`);
    expect(html).toContain(`Pages of ${name}`);
    const body = { client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] };
    const registered = {
      ...body,
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'openid profile offline_access',
    };
    expect(await sendJson('POST', `${at(name).admin}/admin/clients`, registered, at(name).token)).toMatchObject({
      status: 201,
    });
  }
  const challenge = await begin(createBrowser(), authorizationUrl(at('acme'), client));
  const statusAt = async (name: (typeof names)[number]) =>
    (await fetch(`${at(name).pages}/login?login_challenge=${challenge}`, { redirect: 'manual' })).status;
  expect(await statusAt('acme')).toBe(200);
  expect(await statusAt('shop')).toBe(404);
  expect((await sendJson('GET', `${at('shop').admin}/admin/clients`, undefined, at('acme').token)).status).toBe(401);
}, 120_000);
