import type { ServerResponse } from 'node:http';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { listen } from '@carnet/test-servers/listen';
import { beforeAll, describe, expect, it } from 'vitest';
import { startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { discovery } from '../call.ts';
import { createClientKeys } from '../client-keys.ts';
import { redirectUri, registerClient } from '../clients.ts';
import { authorizationUrlOf, authorizeAt, codeChallenge, errorAt } from '../login.ts';

const keys = await createClientKeys();
const { jwks } = keys;
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
const host = beforeTests(() =>
  listen((req, res) => {
    asked.push(`${req.method} ${req.url}`);
    if (req.url === '/slow') return answerSlowly(res);
    if (req.url === '/redirect') return void res.writeHead(302, { location: '/request' }).end();
    if (req.url === '/large') return void res.end('x'.repeat(60_000));
    if (req.url === '/deep') return void res.end(`e30.${Buffer.from(`{"x":${deep}}`).toString('base64url')}.AA`);
    return void (req.url === '/request' ? res.end(`${object}\n`) : res.writeHead(404).end());
  }),
);

const instance = startBeforeTests({ config: { features: { jar: { byReference: true } } } });
const client = beforeTests(() =>
  registerClient(instance, 'app', {
    jwks,
    request_uris: ['/request', '/gone', '/redirect', '/large', '/deep', '/slow'].map((path) => host.origin + path),
  }),
);

beforeAll(async () => {
  object = await keys.sign({
    client_id: client.id,
    response_type: 'code',
    scope: 'openid offline_access',
    redirect_uri: redirectUri,
    state: 'a state of the tests',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    iss: client.id,
    aud: instance.issuer,
  });
});

const urlOf = (path: string, client_id = client.id): string =>
  authorizationUrlOf(instance, { client_id, request_uri: host.origin + path });
describe('a request object by reference (RFC 9101, section 5.2)', () => {
  it('the request object is fetched where the client has registered it, and completes a login', async () => {
    asked.length = 0;
    const end = await authorizeAt(instance, urlOf('/request'));
    expect(end.searchParams.get('state')).toBe('a state of the tests');
    expect(end.searchParams.get('code')).toMatch(/^carnet_ac_/);
    expect(asked).toEqual(['GET /request']);
  });

  it('may come in a form', async () => {
    const form = { client_id: client.id, request_uri: `${host.origin}/request` };
    const response = await createBrowser().post(`${instance.issuer}/oauth2/auth`, form);
    expect(locationOf(response).searchParams.has('login_challenge')).toBe(true);
  });

  it('the request object is fetched from no other address', async () => {
    asked.length = 0;
    expect(await errorAt(urlOf('/request?x=1'))).toBe('request_uri_not_supported');
    expect(await errorAt(urlOf('/other'))).toBe('request_uri_not_supported');
    await createBrowser().get(urlOf('/request', 'stranger'));
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
    expect(await discovery(instance)).toMatchObject({
      request_uri_parameter_supported: true,
      require_request_uri_registration: true,
    });
  });
});

it('at a private address is not fetched', async () => {
  const url = 'https://169.254.169.254/latest/meta-data';
  const app = await registerClient(instance, 'metadata', { jwks, request_uris: [url] });
  expect(await errorAt(authorizationUrlOf(instance, { client_id: app.id, request_uri: url }))).toBe(
    'invalid_request_uri',
  );
  expect(instance.log()).toMatch(/"purpose":"request_uri","host":"169\.254\.169\.254","result":"private_address"/);
});
