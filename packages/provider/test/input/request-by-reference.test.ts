import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBrowser, locationOf } from '../browser.ts';
import { redirectUri, registerClient, type TestClient } from '../clients.ts';
import { type Instance, start } from '../harness.ts';
import { begin, codeChallenge, decideAll, type Json } from '../login.ts';

const keys = await generateKeyPair('ES256', { extractable: true });
const jwks = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'requests', use: 'sig' }] };

/** The client's own server, and what it was asked. */
const asked: string[] = [];
let object = '';
let waiting = 0;
let mostWaiting = 0;
const answerSlowly = (res: ServerResponse): void => {
  waiting += 1;
  mostWaiting = Math.max(mostWaiting, waiting);
  setTimeout(() => {
    waiting -= 1;
    res.writeHead(404).end();
  }, 100);
};
const deep = `${'['.repeat(9_000)}${']'.repeat(9_000)}`;
const host = createServer((req, res) => {
  asked.push(`${req.method} ${req.url}`);
  if (req.url === '/slow') return answerSlowly(res);
  if (req.url === '/redirect') return res.writeHead(302, { location: '/request' }).end();
  if (req.url === '/large') return res.end('x'.repeat(60_000));
  if (req.url === '/deep') return res.end(`e30.${Buffer.from(`{"x":${deep}}`).toString('base64url')}.AA`);
  return req.url === '/request' ? res.end(`${object}\n`) : res.writeHead(404).end();
});

let instance: Instance;
let client: TestClient;
let at: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  at = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  instance = await start({ config: { features: { jar: { byReference: true } } } });
  client = await registerClient(instance, 'app', {
    jwks,
    request_uris: [`${at}/request`, `${at}/gone`, `${at}/redirect`, `${at}/large`, `${at}/deep`, `${at}/slow`],
  });
  object = await new SignJWT({
    client_id: client.id,
    response_type: 'code',
    scope: 'openid offline_access',
    redirect_uri: redirectUri,
    state: 'a state of the tests',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    iss: client.id,
    aud: instance.issuer,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'requests' })
    .setExpirationTime('5m')
    .sign(keys.privateKey);
});
afterAll(async () => {
  await instance.stop();
  host.close();
});

const urlOf = (path: string): string =>
  `${instance.issuer}/oauth2/auth?${new URLSearchParams({ client_id: client.id, request_uri: at + path })}`;
const errorAt = async (url: string) => locationOf(await createBrowser().get(url)).searchParams.get('error');

describe('a request object by reference (RFC 9101, section 5.2)', () => {
  it('the request object is fetched where the client has registered it, and completes a login', async () => {
    asked.length = 0;
    const browser = createBrowser();
    const end = locationOf(
      await browser.get(await decideAll(instance, browser, await begin(browser, urlOf('/request')))),
    );
    expect(end.searchParams.get('state')).toBe('a state of the tests');
    expect(end.searchParams.get('code')).toMatch(/^carnet_ac_/);
    expect(asked).toEqual(['GET /request']);
  });

  it('may come in a form', async () => {
    const body = new URLSearchParams({ client_id: client.id, request_uri: `${at}/request` });
    const response = await fetch(`${instance.issuer}/oauth2/auth`, { method: 'POST', body, redirect: 'manual' });
    expect(locationOf(response).searchParams.has('login_challenge')).toBe(true);
  });

  it('the request object is fetched from no other address', async () => {
    asked.length = 0;
    expect(await errorAt(urlOf('/request?x=1'))).toBe('request_uri_not_supported');
    expect(await errorAt(urlOf('/other'))).toBe('request_uri_not_supported');
    const stranger = urlOf('/request').replace('client_id=app', 'client_id=stranger');
    await createBrowser().get(stranger);
    expect(asked).toEqual([]);
  });

  it.each(['/gone', '/redirect', '/large', '/deep'])(
    'a request object that cannot be fetched is an error of the request: %s',
    async (path) => {
      asked.length = 0;
      expect(await errorAt(urlOf(path))).toBe('invalid_request_uri');
      expect(asked).toEqual([`GET ${path}`]);
    },
  );

  it('concurrent requests share one fetch', async () => {
    asked.length = 0;
    mostWaiting = 0;
    const errors = await Promise.all(Array.from({ length: 20 }, () => errorAt(urlOf('/slow'))));
    expect(new Set(errors)).toEqual(new Set(['invalid_request_uri']));
    expect(mostWaiting).toBe(1);
    expect(asked.length).toBeLessThan(10);
  });

  it('the discovery document announces the feature, with the need to register the address', async () => {
    const discovery = (await (await fetch(`${instance.issuer}/.well-known/openid-configuration`)).json()) as Json;
    expect(discovery).toMatchObject({ request_uri_parameter_supported: true, require_request_uri_registration: true });
  });
});

it('at a private address is not fetched', async () => {
  const url = 'https://169.254.169.254/latest/meta-data';
  const app = await registerClient(instance, 'metadata', { jwks, request_uris: [url] });
  const query = new URLSearchParams({ client_id: app.id, request_uri: url });
  expect(await errorAt(`${instance.issuer}/oauth2/auth?${query}`)).toBe('invalid_request_uri');
  expect(instance.log()).toMatch(/"purpose":"request_uri","host":"169\.254\.169\.254","result":"private_address"/);
});
