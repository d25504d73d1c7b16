import { carnetFastify } from '@carnet/fastify';
import formbody from '@fastify/formbody';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { createBrowser } from '../../provider/test/browser.ts';
import { registerClient } from '../../provider/test/clients.ts';
import { type Instance, type StartOptions, start } from '../../provider/test/harness.ts';
import { login, refresh } from '../../provider/test/login.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A Fastify application with the plugin, and what a test registers before and after it. */
const opened = async (
  options: StartOptions = {},
  before: (app: FastifyInstance) => void = () => {},
  after: (app: FastifyInstance) => void = () => {},
): Promise<Instance & { readonly origin: string }> => {
  const app = Fastify();
  const instance = await start({
    ...options,
    mount: (carnet) => {
      before(app);
      app.register(carnetFastify, { carnet });
      after(app);
      app.all('/echo', (request) => ({ url: request.url, body: request.body ?? null }));
      const ready = app.ready();
      return (req, res) => void ready.then(() => app.routing(req, res));
    },
  });
  closers.push(instance.stop, () => app.close());
  return { ...instance, origin: new URL(instance.issuer).origin };
};

const worksIn = async (instance: Instance): Promise<void> => {
  const client = await registerClient(instance, 'of-fastify');
  const tokens = await login(instance, client, { browser: createBrowser() });
  expect((await refresh(instance, client, tokens.refresh_token)).status).toBe(200);
};

const echoed = async (origin: string) =>
  (await fetch(`${origin}/echo?x=1`, { method: 'POST', body: new URLSearchParams({ a: 'b' }) })).json();

describe('the plugin', () => {
  test('serves a login, and leaves bodies of other paths to Fastify', async () => {
    const instance = await opened({}, (app) => void app.register(formbody));
    await worksIn(instance);
    expect(await echoed(instance.origin)).toEqual({ url: '/echo?x=1', body: { a: 'b' } });
  });

  test('serves a login for an issuer with a path, and its metadata outside of that path', async () => {
    const instance = await opened({ path: '/op' }, undefined, (app) => void app.register(formbody));
    await worksIn(instance);
    const metadata = await fetch(`${instance.origin}/.well-known/oauth-authorization-server/op`);
    expect(await metadata.json()).toMatchObject({ issuer: instance.issuer });
    expect(await echoed(instance.origin)).toMatchObject({ body: { a: 'b' } });
  });

  test('answers CORS preflights and HEAD', async () => {
    const { issuer } = await opened();
    const headers = { origin: 'https://spa.test', 'access-control-request-method': 'POST' };
    const preflight = await fetch(`${issuer}/oauth2/token`, { method: 'OPTIONS', headers });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, 'https://spa.test']);
    expect((await fetch(`${issuer}/.well-known/jwks.json`, { method: 'HEAD' })).status).toBe(200);
  });

  test("leaves other paths to Fastify's own 404", async () => {
    const { origin } = await opened({ path: '/op' });
    for (const path of ['/nothing', '/op', '/op/nothing', '/oauth2/auth']) {
      const response = await fetch(origin + path);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ message: `Route GET:${path} not found` });
    }
  });

  test('serves the endpoints where a route of the application matches every path', async () => {
    const { issuer } = await opened({}, (app) => void app.get('/*', () => 'own'));
    expect((await (await fetch(`${issuer}/.well-known/jwks.json`)).json()).keys.length).toBeGreaterThan(0);
    expect(await (await fetch(`${issuer}/nothing`)).text()).toBe('own');
  });

  test('runs the hooks before it, which may refuse a request', async () => {
    const { issuer } = await opened({}, (app) => {
      app.addHook('onRequest', async (_request, reply) => reply.code(429).send({ error: 'too many' }));
    });
    expect((await fetch(`${issuer}/.well-known/jwks.json`)).status).toBe(429);
  });

  test('calls onResponse once for each response', async () => {
    const seen: string[] = [];
    const { issuer } = await opened({}, (app) => {
      app.addHook('onResponse', async ({ url }, { statusCode }) => void seen.push(`${url} ${statusCode}`));
    });
    await fetch(`${issuer}/.well-known/jwks.json`);
    await fetch(`${issuer}/oauth2/token`, { method: 'POST' });
    await fetch(`${issuer}/nothing`);
    await expect.poll(() => seen).toEqual(['/.well-known/jwks.json 200', '/oauth2/token 400', '/nothing 404']);
  });
});
