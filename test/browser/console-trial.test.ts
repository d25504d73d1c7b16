import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Carnet, createProvider } from '@carnet/provider';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConsole } from '../../packages/console/src/create-console.ts';
import { createNodeHandler } from '../../packages/console/src/node-handler.ts';
import { launchChromium } from './chromium.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const servers: Server[] = [];

/** A server whose handler is set later, because it needs the port. */
const listen = async () => {
  const own: { handle: Handler } = { handle: (_, response) => response.writeHead(503).end() };
  const server = createServer((request, response) => own.handle(request, response));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { own, port: (server.address() as AddressInfo).port };
};

/** Accepts each login and each consent, as pages without a form. */
const pagesOf =
  (carnet: Pick<Carnet, 'requests'>): Handler =>
  async (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://pages');
    const consent = searchParams.get('consent_challenge');
    const accept = async () => {
      if (consent === null) {
        return carnet.requests.login.accept(searchParams.get('login_challenge') ?? '', { subject: 'ada' });
      }
      const { requestedScopes: grantScopes } = await carnet.requests.consent.get(consent);
      const claims = { idToken: { groups: ['platform'], name: 'Ada' } };
      return carnet.requests.consent.accept(consent, { grantScopes, claims });
    };
    response.writeHead(302, { location: (await accept()).redirectTo }).end();
  };

const start = async () => {
  const [pages, provider, console] = [await listen(), await listen(), await listen()];
  // The issuer and the console are different sites, as they may be in production: cookies must cross this border.
  const issuer = `http://localhost:${provider.port}`;
  const url = `http://127.0.0.1:${console.port}/console`;
  const carnet = await createProvider({
    dev: true,
    issuer,
    storage: { default: 'memory:' },
    secrets: { system: ['a secret of at least thirty-two characters'] },
    urls: { login: `http://localhost:${pages.port}/login`, consent: `http://localhost:${pages.port}/consent` },
    log: { level: 'silent' },
  });
  pages.own.handle = pagesOf(carnet);
  provider.own.handle = carnet.standalone();
  const note = () => {};
  const stopping = new AbortController();
  const answer = await createConsole(carnet, {
    ...{ issuer, url, signal: stopping.signal },
    access: { claim: 'groups', operator: ['platform'] },
    secrets: ['a secret of at least thirty-two characters'],
    logger: { info: note, warn: note, error: note },
  });
  const handle = createNodeHandler(answer, new URL(url));
  console.own.handle = (request, response) => handle(request, response, () => response.writeHead(404).end());
  await carnet.clients.create({
    ...{ client_id: 'shop', client_name: 'Shop', redirect_uris: ['https://shop.example/cb'], scope: 'openid email' },
    ...{ grant_types: ['authorization_code'], response_types: ['code'] },
  });
  return { carnet, url, stopping };
};

let running: Awaited<ReturnType<typeof start>>;
let chromium: Browser;
beforeAll(async () => {
  [running, chromium] = await Promise.all([start(), launchChromium()]);
});
afterAll(async () => {
  await chromium?.close();
  running?.stopping.abort();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await running?.carnet.close();
});

test('an operator tries a login of a client, and sees each step and the tokens, without a script', async () => {
  const page = await chromium.newPage({ locale: 'en', javaScriptEnabled: false });
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(`${running.url}/clients/shop`);
  await page.getByRole('link', { name: 'Try a login' }).click();
  await page.getByRole('button', { name: 'Prepare the request' }).click();
  expect(await page.textContent('main')).toContain('code_challenge');
  await page.getByRole('button', { name: 'Open the authorization endpoint' }).click();
  await page.waitForURL(/\/try\/callback\?/);
  await page.getByRole('button', { name: 'Exchange the code for tokens' }).click();
  const text = (await page.textContent('main')) ?? '';
  expect(text).toContain('"sub": "ada"');
  expect(text).toContain('The copy of the client is deleted');
  expect(page.url()).toBe(`${running.url}/try/finish`);
  const clients = (await running.carnet.clients.list()).items.map(({ client_id: id }) => id);
  expect(clients.toSorted()).toEqual(['carnet-console', 'shop']);
  expect(problems).toEqual([]);
  await page.close();
});
