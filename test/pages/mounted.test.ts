import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPasswordHashing } from '@carnet/accounts/directory';
import { createPages } from '@carnet/consent-ui';
import { createIssuers } from '@carnet/issuers';
import { type Carnet, type ConfigInput, createProvider } from '@carnet/provider';
import { findFreePort, signInAtPages } from '@carnet/test-servers';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import Koa from 'koa';
import { expect, onTestFinished, test } from 'vitest';

const adminToken = 'the-token-of-the-admin-api';

const listen = async (listener: RequestListener, port: number): Promise<void> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
};

type AccountsIn = (folder: string) => ConfigInput['accounts'] | Promise<ConfigInput['accounts']>;

const inDatabase: AccountsIn = (folder) => ({
  database: `sqlite:${join(folder, 'accounts.db')}`,
  migrate: true,
  directories: [{ name: 'users', kind: 'sql' }],
  demoUser: true,
});

/** No database: there is no place for second factors. */
const inFile: AccountsIn = async (folder) => {
  const passwordHash = await createPasswordHashing().hash('carnet-demo', 'u1');
  const path = join(folder, 'users.json');
  const email = 'demo@example.com';
  writeFileSync(path, JSON.stringify([{ subject: 'u1', email, passwordHash, claims: { name: email } }]));
  return { directories: [{ name: 'users', kind: 'file', path }], secondFactors: { policy: 'none' } };
};

const openProvider = async (origin: string, accountsIn: AccountsIn): Promise<Carnet> => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-pages-'));
  const carnet = await createProvider({
    issuer: origin,
    urls: { login: `${origin}/login`, consent: `${origin}/consent`, logout: `${origin}/logout` },
    admin: { token: adminToken },
    accounts: await accountsIn(folder),
    dev: true,
  });
  onTestFinished(async () => {
    await carnet.close();
    rmSync(folder, { recursive: true });
  });
  return carnet;
};

type Mount = (carnet: Carnet, pages: RequestListener) => RequestListener;

const onExpress: Mount = (carnet, pages) => express().use(carnet.callback()).use(pages);

const onKoa: Mount = (carnet, pages) =>
  new Koa()
    .use(carnet.koa())
    .use((context) => {
      context.respond = false;
      return pages(context.req, context.res);
    })
    .callback();

/** The provider and the pages on one port of an application. */
const start = async (mount: Mount, accountsIn = inDatabase) => {
  const [port, adminPort] = [await findFreePort(), await findFreePort()];
  const origin = `http://127.0.0.1:${port}`;
  const carnet = await openProvider(origin, accountsIn);
  await listen(carnet.adminCallback(), adminPort);
  const pages = createPages({
    issuer: origin,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    adminToken,
  });
  const listener = getRequestListener((request, { incoming }) =>
    pages(request, { address: incoming.socket.remoteAddress }),
  );
  await listen(mount(carnet, listener), port);
  return { origin, pages };
};

test.each([
  ['an Express app', onExpress, inDatabase],
  ['a Koa app', onKoa, inDatabase],
  ['an app whose users are in a file', onExpress, inFile],
])('a user signs in at the pages that %s mounts beside the provider', async (_name, mount, accountsIn) => {
  const { origin } = await start(mount, accountsIn);
  const { url, html } = await signInAtPages(`${origin}/account`, 'demo@example.com', 'carnet-demo');
  expect(url).toBe(`${origin}/account`);
  expect(html).toContain('demo@example.com');
});

const settings = { issuer: 'https://id.example.com' };
const get = (path: string, init?: RequestInit) =>
  createPages(settings)(new Request(`https://id.example.com${path}`, init));

test('an unknown path has a page of its own, and a page refuses methods that it does not have', async () => {
  const unknown = await get('/invented');
  expect([unknown.status, (await unknown.text()).includes('<html')]).toEqual([404, true]);
  const head = await get('/error?error=access_denied', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([400, '']);
  const put = await get('/login', { method: 'PUT' });
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  expect((await get('/error', { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD');
});

test('settings that are not valid are refused at once, and all are named', () => {
  const wrong = { issuer: 'nonsense', color: 'shiny' };
  expect(() => createPages(wrong)).toThrow(/issuer[\s\S]*color/);
});

test('a Koa app with several issuers answers for each, and for the paths of none itself', async () => {
  const port = await findFreePort();
  const [origin, acme] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
  const issuers = await createIssuers({
    issuer: origin,
    dev: true,
    storage: { default: 'memory:' },
    urls: { login: `${origin}/login`, consent: `${origin}/consent` },
    limits: { requestsPerSecond: 100 },
    issuers: { acme: { issuer: acme, limits: { requestsPerSecond: 1, burst: 2 } }, shop: { issuer: `${origin}/shop` } },
  });
  onTestFinished(() => issuers.close());
  const app = new Koa().use(issuers.koa()).use((context) => {
    context.body = `of the app: ${context.path}`;
  });
  await listen(app.callback(), port);
  const document = '/.well-known/openid-configuration';
  for (const issuer of [origin, acme, `${origin}/shop`])
    expect(await (await fetch(issuer + document)).json()).toMatchObject({ issuer });
  for (const path of ['/', '/login', '/shop', '/shop/page', '/shop/oauth2/'])
    expect(await (await fetch(origin + path)).text()).toBe(`of the app: ${path}`);
  expect(await (await fetch(`${acme}/login`)).text()).toBe('of the app: /login');
  expect((await fetch(acme + document)).status).toBe(200);
  const limited = await fetch(acme + document);
  expect([limited.status, limited.headers.has('retry-after')]).toEqual([429, true]);
  expect((await fetch(origin + document)).status).toBe(200);
});
