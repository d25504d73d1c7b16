import { openMemoryAdapter } from '@carnet/adapter-memory';
import { describe, expect, test } from 'vitest';
import { startInTest } from '../before-tests.ts';
import { createBrowser } from '../browser.ts';
import { call, postForm, publishedKeys, refusal } from '../call.ts';
import { registerClient } from '../clients.ts';
import type { StartOptions } from '../harness.ts';
import { credentialsFor, login } from '../login.ts';
import { rawRequest } from '../raw-request.ts';

const opened = async (options: StartOptions = {}) => {
  const instance = await startInTest(options);
  return { ...instance, origin: new URL(instance.issuer).origin };
};

const json = async (url: string) => {
  const { status, body } = await call(url);
  return { status, body };
};

const statusFor = async (url: string, host: string) => (await rawRequest(url, { headers: { host } })).status;

describe('callback() on a plain node:http server', () => {
  test('answers what is not its own with 404, as JSON with the security headers', async () => {
    const { issuer } = await opened();
    const { status, headers, body } = await call(`${issuer}/nothing`);
    expect([status, headers.get('x-content-type-options')]).toEqual([404, 'nosniff']);
    expect(body).toEqual({
      error: 'Unable to locate the resource',
      error_description: 'There is nothing at this path.',
    });
  });

  test('leaves the health of the application it is mounted in to it', async () => {
    const { issuer } = await opened();
    for (const path of ['/health/alive', '/health/ready', '/version']) {
      expect((await fetch(issuer + path)).status).toBe(404);
    }
  });
});

describe('a form that the host application has parsed', () => {
  test('a body parser for another type leaves an empty object (Express 4, Koa): the form is read all the same', async () => {
    const instance = await opened({
      mount: (carnet) => {
        const handle = carnet.callback();
        return (req, res) => handle(Object.assign(req, { body: {} }), res);
      },
    });
    const client = await registerClient(instance, 'parsed');
    expect((await credentialsFor(instance, client)).status).toBe(200);
  });

  test('a member that is no text is an empty parameter, whatever its own members are', async () => {
    const { issuer } = await opened({
      mount: (carnet) => {
        const handle = carnet.callback();
        return (req, res) => handle(Object.assign(req, { body: { grant_type: { toString: 'x', valueOf: 'y' } } }), res);
      },
    });
    expect(await postForm(`${issuer}/oauth2/token`, { a: 'b' })).toMatchObject(refusal('invalid_request'));
  });
});

describe('an issuer with a path', () => {
  const path = '/op';

  test.each([
    ['OpenID Connect Discovery', '/op/.well-known/openid-configuration'],
    ['RFC 8414, inserted before the path', '/.well-known/oauth-authorization-server/op'],
    ['RFC 8414, appended to it', '/op/.well-known/oauth-authorization-server'],
    ['RFC 8414, section 5', '/.well-known/openid-configuration/op'],
  ])('the metadata of the issuer is found where %s looks', async (_who, place) => {
    const { issuer, origin } = await opened({ path });
    const { status, body } = await json(origin + place);
    expect([status, body.issuer, body.token_endpoint]).toEqual([200, issuer, `${issuer}/oauth2/token`]);
  });

  test.each([
    '/.well-known/openid-configuration',
    '/oauth2/auth',
    '/opx/oauth2/auth',
    '/op/op/oauth2/auth',
    '/op',
    '/.well-known/oauth-authorization-server/other',
  ])('the metadata is absent at %s', async (place) => {
    const { origin } = await opened({ path });
    expect((await fetch(origin + place)).status).toBe(404);
  });

  test('serves a login from beginning to end', async () => {
    const instance = await opened({ path });
    const client = await registerClient(instance, 'below');
    const tokens = await login(instance, client, { browser: createBrowser(), login: { remember: true } });
    expect(tokens.id_token).toBeTypeOf('string');
    expect((await publishedKeys(instance)).keys.length).toBe(3);
  });
});

describe('standalone()', () => {
  const mount: StartOptions['mount'] = (carnet) => carnet.standalone();

  test('serves health and version beside the endpoints, and nothing else', async () => {
    const { issuer } = await opened({ mount });
    expect(await json(`${issuer}/health/alive`)).toEqual({ status: 200, body: { status: 'ok' } });
    expect(await json(`${issuer}/health/ready`)).toEqual({ status: 200, body: { status: 'ok' } });
    expect((await json(`${issuer}/version`)).body.version).toMatch(/^\d+\.\d+\.\d+/);
    expect((await json(`${issuer}/.well-known/openid-configuration`)).body.issuer).toBe(issuer);
    for (const path of ['/nothing', '/admin/clients', '/clients', '/metrics', '/admin/health/alive']) {
      expect((await fetch(issuer + path)).status).toBe(404);
    }
  });

  test('answers probes, which know an address and no host name; the endpoints answer to the issuer alone', async () => {
    const { issuer } = await opened({ mount });
    expect(await statusFor(`${issuer}/health/alive`, '10.1.2.3:4444')).toBe(200);
    expect(await statusFor(`${issuer}/.well-known/openid-configuration`, '10.1.2.3:4444')).toBe(421);
  });

  test('the process is alive and unready while the store does not answer', async () => {
    const ping = () => Promise.reject(new Error('connection refused'));
    const { issuer } = await opened({ mount, adapter: { ...openMemoryAdapter(), ping } });
    expect((await json(`${issuer}/health/alive`)).status).toBe(200);
    expect(await json(`${issuer}/health/ready`)).toEqual({
      status: 503,
      body: { errors: { storage: 'The store does not answer.' } },
    });
  });

  test('has the health of an issuer with a path at the root, where probes look', async () => {
    const { origin } = await opened({ mount, path: '/op' });
    expect((await fetch(`${origin}/health/ready`)).status).toBe(200);
    expect((await fetch(`${origin}/op/.well-known/openid-configuration`)).status).toBe(200);
  });
});
