import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createProvider } from '@carnet/provider';
import { listen } from '@carnet/test-servers/listen';
import { afterAll, expect, test } from 'vitest';
import { libraries } from '../../src/pages/clients/code/libraries.ts';
import type { CodeValues } from '../../src/pages/clients/code/library.ts';
import { startConsole } from '../start-console.ts';

const values: CodeValues = {
  issuer: 'https://id.example.com',
  clientId: 'shop',
  redirectUri: 'https://shop.example.com/cb',
  postLogoutRedirectUri: 'https://shop.example.com/bye',
  scopes: ['openid', 'email', 'offline_access'],
  hasSecret: true,
};

const render = (id: string, changed: Partial<CodeValues> = {}): string =>
  libraries.find((each) => each.id === id)?.render({ ...values, ...changed }) ?? '';

/** The settings that docs/guides/clients.md has for each library, with the values of this client. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'openid-client': [
    'new URL("https://id.example.com")',
    '"shop"',
    'process.env.CLIENT_SECRET',
    'redirect_uri: "https://shop.example.com/cb"',
    'scope: "openid email offline_access"',
    "code_challenge_method: 'S256'",
  ],
  'auth-js': [
    "type: 'oidc'",
    'issuer: "https://id.example.com"',
    'clientId: "shop"',
    'clientSecret: process.env.CLIENT_SECRET',
    'scope: "openid email offline_access"',
  ],
  passport: [
    'authorizationURL: "https://id.example.com/oauth2/auth"',
    'tokenURL: "https://id.example.com/oauth2/token"',
    'userInfoURL: "https://id.example.com/userinfo"',
    'clientID: "shop"',
    'callbackURL: "https://shop.example.com/cb"',
    'scope: ["email","offline_access"]',
  ],
  'oidc-client-ts': [
    'authority: "https://id.example.com"',
    'client_id: "shop"',
    'redirect_uri: "https://shop.example.com/cb"',
    'post_logout_redirect_uri: "https://shop.example.com/bye"',
    'scope: "openid email offline_access"',
  ],
  spring: [
    'client-id: "shop"',
    `client-secret: \${CLIENT_SECRET}`,
    'scope: ["openid","email","offline_access"]',
    'issuer-uri: "https://id.example.com"',
  ],
  'go-oidc': [
    'oidc.NewProvider(ctx, "https://id.example.com")',
    'ClientID:     "shop"',
    'os.Getenv("CLIENT_SECRET")',
    'RedirectURL:  "https://shop.example.com/cb"',
    '[]string{"openid", "email", "offline_access"}',
  ],
};

test.each(libraries.map(({ id }) => id))('the code for %s has the values of the client', (id) => {
  const code = render(id);
  for (const part of expected[id] ?? ['there is no expectation']) expect(code).toContain(part);
});

test.each(libraries.map(({ id }) => id))('values with quotes and line ends stay literals in the code for %s', (id) => {
  const hostile = '"; }); fetch("https://evil.test"); \u2028\n\u202E </code>';
  const code = render(id, { clientId: hostile });
  expect(code).toContain('"\\"; }); fetch(\\"https://evil.test\\"); \\u2028\\n\\u202e');
  expect(code).not.toMatch(/[\u2028\u202e]/);
});

const folder = fileURLToPath(new URL('./.code/', import.meta.url));
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the code for openid-client runs, and its request is accepted', async () => {
  const server = createServer();
  const { origin: issuer, close } = await listen(server);
  const urls = { login: 'http://localhost:3000/login', consent: 'http://localhost:3000/consent' };
  const secrets = { system: [randomBytes(32).toString('hex')] };
  const storage = { default: 'memory:' };
  const carnet = await createProvider({ dev: true, issuer, storage, secrets, urls, log: { level: 'silent' } });
  server.on('request', carnet.standalone());
  await carnet.clients.create({
    ...{ client_id: 'it"s', redirect_uris: [values.redirectUri], scope: values.scopes.join(' ') },
    ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
    token_endpoint_auth_method: 'none',
  });
  const code = render('openid-client', { issuer, clientId: 'it"s', hasSecret: false });
  await mkdir(folder, { recursive: true });
  // The library refuses http, except for an issuer of tests.
  const allowed = code.replace('client.None(),', 'client.None(), { execute: [client.allowInsecureRequests] },');
  await writeFile(`${folder}client.mjs`, allowed);
  const { beginLogin } = await import(`${folder}client.mjs`);
  const { url } = await beginLogin();
  const response = await fetch(url, { redirect: 'manual' });
  expect(response.headers.get('location')).toContain('http://localhost:3000/login?login_challenge=');
  await carnet.close();
  await close();
});

test('the page proposes a library that fits the client, and says why others do not', async () => {
  const { carnet, get } = await startConsole();
  await carnet.clients.create({
    ...{ client_id: 'spa', token_endpoint_auth_method: 'none', redirect_uris: ['https://app.test/cb'] },
    ...{ grant_types: ['authorization_code'], response_types: ['code'] },
  });
  await carnet.clients.create({ client_id: 'job', grant_types: ['client_credentials'] });
  const text = async (path: string) => (await get(path)).text();
  expect(await text('/clients/spa/code')).toContain('redirect_uri: &quot;https://app.test/cb&quot;');
  expect(await text('/clients/spa/code?library=spring')).toContain('needs a client with a secret');
  expect(await text('/clients/job/code')).toContain('may not use the authorization code flow');
  expect(await text('/clients/spa/code?library=%3Cscript%3E')).toContain('openid-client');
  await carnet.close();
});

test('the page names the redirect URI that a library with a path of its own needs', async () => {
  const { carnet, get } = await startConsole();
  const redirects = {
    redirect_uris: ['https://app.test/cb'],
    grant_types: ['authorization_code'],
    response_types: ['code'],
  };
  await carnet.clients.create({ client_id: 'web', ...redirects });
  const page = await (await get('/clients/web/code?library=spring')).text();
  expect(page).toContain('https://app.test/login/oauth2/code/carnet');
  await carnet.close();
});
