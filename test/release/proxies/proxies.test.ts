import { createHash, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { get, request } from 'node:http';
import { join } from 'node:path';
import { type Certified, openAuthority } from '@carnet/test-servers';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, browserAddress, createBrowser, issuer, sendTo } from './browser.ts';
import { type Provider, startProvider, user } from './provider.ts';
import { proxies, type RunningProxy, startProxy } from './proxies.ts';

const authority = openAuthority();
const server = authority.issued({ subject: '/CN=id.example.com', alternativeNames: 'DNS:id.example.com' });
/** The certificate of a client. It is public: every server to which the client connects has seen it. */
const machine: Certified = authority.selfSigned({ subject: '/CN=machine' });
const folder = folderForTests();
const redirectUri = 'https://app.example.com/callback';
const verifier = 'v'.repeat(43);

let provider: Provider;

const admin = async (path: string, init?: RequestInit): Promise<unknown> => {
  const response = await fetch(`${provider.adminUrl}/admin${path}`, init);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
};

const register = (client: object): Promise<unknown> =>
  admin('/clients', { method: 'POST', body: JSON.stringify(client) });

beforeAll(async () => {
  provider = await startProvider(folder);
  await register({
    ...{ client_id: 'app', client_name: 'App', token_endpoint_auth_method: 'none', redirect_uris: [redirectUri] },
    scope: 'openid offline_access',
  });
  const certificate = new X509Certificate(machine.cert);
  const key = { ...certificate.publicKey.export({ format: 'jwk' }), x5c: [certificate.raw.toString('base64')] };
  await register({
    ...{ client_id: 'machine', token_endpoint_auth_method: 'self_signed_tls_client_auth', jwks: { keys: [key] } },
    ...{ grant_types: ['client_credentials'], response_types: [] },
  });
}, 60_000);
afterAll(async () => {
  await provider?.stop();
  authority.close();
});

const authorizationUrl = (params: Readonly<Record<string, string>> = {}): string => {
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = new URLSearchParams({
    ...{
      client_id: 'app',
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid',
      state: 'the-state-of-the-app',
    },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', nonce: 'n', ...params },
  });
  return `${issuer}/oauth2/auth?${query}`;
};

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** The forged headers that a client sends to be another client, or to come from another address. */
const forged = {
  'X-Forwarded-For': '203.0.113.66',
  'X-Forwarded-Host': 'evil.example.com',
  'X-Forwarded-Proto': 'http',
  'X-Client-Certificate': encodeURIComponent(machine.cert),
  'X-Client-Verify': 'SUCCESS',
};
const machineRequest = {
  method: 'POST',
  headers: { ...form, 'X-Client-Certificate': forged['X-Client-Certificate'], 'X-Client-Verify': 'SUCCESS' },
  body: 'grant_type=client_credentials&client_id=machine',
};

/** The request of a client that claims another certificate, as a proxy that forwards its headers sends it. */
const sendAsProxy = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const { method, headers, body } = machineRequest;
    const options = { host: '127.0.0.1', port: provider.carnetPort, path: '/oauth2/token', method };
    const sent = request({ ...options, headers: { ...headers, Host: 'id.example.com' } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once('error', reject).end(body);
  });

test('a proxy that forwards all headers would let an attacker be the client', async () => {
  expect(await sendAsProxy()).toBe(200);
});

const installed = proxies.filter(({ command }) => existsSync(command));

describe.each(installed)('deploy/proxies/$file: $name', (proxy) => {
  let running: RunningProxy;
  beforeAll(async () => {
    const places = { ...provider, ...server, folder: join(folder, proxy.name) };
    running = await startProxy(proxy, places);
  });
  afterAll(() => running?.stop());

  const send = (path: string, sent?: Parameters<typeof sendTo>[3]): Promise<Answer> =>
    sendTo(running.httpsPort, authority.ca, new URL(path, issuer), sent);

  /** Signs Ada in, allows the access, and redeems the code. */
  const signIn = async (params: Readonly<Record<string, string>> = {}) => {
    const browser = createBrowser(running.httpsPort, authority.ca, {
      ...{ 'X-Forwarded-For': forged['X-Forwarded-For'], 'X-Forwarded-Host': forged['X-Forwarded-Host'] },
    });
    const login = await browser.get(authorizationUrl(params));
    const consent = await browser.submit(login, { ...user, remember: '1', decision: 'accept' });
    const end = await browser.submit(consent, { decision: 'accept' });
    const code = end.url.searchParams.get('code') ?? '';
    const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUri });
    body.set('client_id', 'app');
    body.set('code_verifier', verifier);
    const tokens = await send('/oauth2/token', { method: 'POST', headers: form, body: body.toString() });
    return { end: end.url, tokens: JSON.parse(tokens.body), longestUrl: browser.longestUrl() };
  };

  test('a user signs in on the pages, and the client gets tokens of the https issuer', async () => {
    const { end, tokens } = await signIn();
    expect(`${end.origin}${end.pathname}`).toBe(redirectUri);
    expect(end.searchParams.get('state')).toBe('the-state-of-the-app');
    const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({ iss: issuer, aud: 'app' });
    const userinfo = await send('/userinfo', { headers: { Authorization: `Bearer ${tokens.access_token}` } });
    expect(JSON.parse(userinfo.body)).toMatchObject({ sub: claims.sub });
  });

  test('the address in X-Forwarded-For is that of the browser, whatever the browser sends', async () => {
    const { tokens } = await signIn({ prompt: 'login' });
    const { sub } = JSON.parse(Buffer.from(tokens.id_token.split('.')[1], 'base64url').toString());
    const sessions = JSON.stringify(await admin(`/oauth2/auth/sessions/login?subject=${encodeURIComponent(sub)}`));
    expect(sessions).toContain(browserAddress);
    expect(sessions).not.toContain(forged['X-Forwarded-For']);
  });

  test('a client certificate that a client claims in a header is removed', async () => {
    const answer = await send('/oauth2/token', machineRequest);
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([401, 'invalid_client']);
  });

  test('the largest request passes, with the sealed challenges that it becomes', async () => {
    const { end, longestUrl } = await signIn({
      ...{ state: 's'.repeat(1_536), nonce: 'n.'.repeat(256), login_hint: '…'.repeat(400) },
      ui_locales: `en ${'de '.repeat(300)}`.trim(),
    });
    expect(end.searchParams.get('code')).toBeTruthy();
    expect(longestUrl).toBeGreaterThan(5_000);
    expect(longestUrl).toBeLessThan(8_192);
  });

  test('the log has the paths of a sign-in, and none of its secrets', async () => {
    await signIn({ state: 'a-state-for-the-log' });
    await expect.poll(() => running.logged()).toMatch(/\/oauth2\/auth\b.*\/consent\b/s);
    expect(running.logged()).not.toMatch(/a-state-for-the-log|_challenge=|_verifier=|code=|__Host-/);
  });

  test('the cookies of many sign-ins pass', async () => {
    const cookie = Array.from({ length: 6 }, (_, index) => `c${index}=${'x'.repeat(980)}`).join('; ');
    expect((await send('/.well-known/jwks.json', { headers: { Cookie: cookie } })).status).toBe(200);
  });

  test('the admin API is not public', async () => {
    for (const path of ['/admin/clients', '/clients', '/admin/oauth2/auth/requests/login']) {
      expect((await send(path)).status).toBe(404);
    }
  });

  test('responses keep their security headers and get HSTS', async () => {
    const { headers } = await send('/.well-known/openid-configuration');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    expect(headers['x-request-id']).toBeTruthy();
  });

  test('http leads to https', async () => {
    const location = await new Promise((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port: running.httpPort,
        path: '/oauth2/auth?x=1',
        headers: { Host: 'id.example.com' },
      };
      get(options, (response) => {
        response.resume();
        resolve([response.statusCode, response.headers.location]);
      }).once('error', reject);
    });
    expect(location).toEqual([308, `${issuer}/oauth2/auth?x=1`]);
  });
});
