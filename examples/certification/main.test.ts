import { fileURLToPath } from 'node:url';
import { findFreePort } from '@carnet/test-servers';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { listen } from '@carnet/test-servers/listen';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Program, spawnCarnet } from '../../packages/cli/test/start-program.ts';
import { createBrowser } from '../../packages/provider/test/browser.ts';
import { redirectUri } from '../../packages/provider/test/clients.ts';
import { type LoginApp, startLoginApp, user } from './login-app.ts';

const config = fileURLToPath(new URL('carnet.yaml', import.meta.url));
const claims = { sub: user.subject };

describe('carnet serve --config examples/certification/carnet.yaml', () => {
  let loginApp: LoginApp;
  const folder = folderForTests();
  let carnet: Program;
  let issuer: string;
  let client: { readonly client_id: string; readonly client_secret: string };

  beforeAll(async () => {
    const [port, adminPort] = [await findFreePort(), await findFreePort()];
    const admin = `http://127.0.0.1:${adminPort}`;
    issuer = `http://127.0.0.1:${port}`;
    loginApp = await startLoginApp(admin);
    const env = {
      ISSUER: issuer,
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      URLS_LOGIN: `${loginApp.origin}/login`,
      URLS_CONSENT: `${loginApp.origin}/consent`,
    };
    carnet = spawnCarnet(['serve', '--dev', '--config', config], env, folder);
    await carnet.line('"msg":"ready"');
    const registered = await fetch(`${admin}/admin/clients`, {
      method: 'POST',
      body: JSON.stringify({
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'implicit', 'refresh_token'],
        response_types: ['code', 'id_token', 'id_token token', 'code id_token', 'code token', 'code id_token token'],
        scope: 'openid profile email offline_access',
      }),
    });
    client = (await registered.json()) as typeof client;
  });
  afterAll(async () => {
    carnet?.child.kill('SIGKILL');
    await carnet?.exited;
    await loginApp?.close();
  });

  const discover = () =>
    oidc.discovery(new URL(issuer), client.client_id, undefined, oidc.ClientSecretBasic(client.client_secret), {
      execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks],
    });

  const request = (at: oidc.Configuration, params: Readonly<Record<string, string>> = {}) => {
    const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()];
    const asked = { redirect_uri: redirectUri, scope: 'openid profile', state: expectedState, nonce: expectedNonce };
    return {
      url: oidc.buildAuthorizationUrl(at, { ...asked, ...params }).href,
      checks: { expectedState, expectedNonce },
    };
  };

  /** Follows every redirect, to the login app and back, until it comes to the client. */
  const follow = async (url: string): Promise<Response | URL> => {
    const browser = createBrowser();
    for (let next = url, steps = 0; steps < 10; steps++) {
      const response = await browser.get(next);
      const location = response.headers.get('location');
      if (location === null) return response;
      if (location.startsWith(redirectUri)) return new URL(location);
      next = location;
    }
    throw new Error('redirected for ever');
  };

  const comeBack = async (url: string): Promise<URL> => {
    const end = await follow(url);
    if (end instanceof URL) return end;
    throw new Error(`${end.status}: ${await end.text()}`);
  };

  test('Basic: a code without PKCE, userinfo with the claims, and none of them in the ID token', async () => {
    const at = await discover();
    const { url, checks } = request(at);
    const tokens = await oidc.authorizationCodeGrant(at, await comeBack(url), checks);
    expect(tokens.claims()).toMatchObject(claims);
    expect(tokens.claims()).not.toHaveProperty('name');
    expect(await oidc.fetchUserInfo(at, tokens.access_token, user.subject)).toEqual({ ...claims, ...user.claims });
  });

  test('Implicit: an ID token in the fragment, signed with RS256', async () => {
    const at = await discover();
    oidc.useIdTokenResponseType(at);
    const { url, checks } = request(at);
    const idToken = await oidc.implicitAuthentication(at, await comeBack(url), checks.expectedNonce, checks);
    expect(idToken).toMatchObject({ ...claims, ...user.claims });
  });

  test.each(['id_token token', 'code token', 'code id_token token'])('Implicit, Hybrid: %s', async (response_type) => {
    const at = await discover();
    const answer = new URLSearchParams((await comeBack(request(at, { response_type }).url)).hash.slice(1));
    const info = await oidc.fetchUserInfo(at, answer.get('access_token') ?? '', user.subject);
    expect(info).toMatchObject(user.claims);
  });

  test('Hybrid: code id_token, checked by c_hash', async () => {
    const at = await discover();
    oidc.useCodeIdTokenResponseType(at);
    const { url, checks } = request(at);
    const tokens = await oidc.authorizationCodeGrant(at, await comeBack(url), checks);
    expect(tokens.claims()).toMatchObject(claims);
  });

  test('Form Post: what the page posts is what the client accepts', async () => {
    const at = await discover();
    const { url, checks } = request(at, { response_mode: 'form_post' });
    const end = await follow(url);
    if (end instanceof URL) throw new Error(`not a page but ${end.href}`);
    const fields = (await end.text()).matchAll(/name="([^"]+)" value="([^"]*)"/g);
    const body = new URLSearchParams(Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value])));
    const tokens = await oidc.authorizationCodeGrant(at, new Request(redirectUri, { method: 'POST', body }), checks);
    expect(tokens.claims()).toMatchObject(claims);
  });

  test('Dynamic: a client registers itself, for an ID token that is signed with RS256 unless it says otherwise', async () => {
    const made = await oidc.dynamicClientRegistration(
      new URL(issuer),
      {
        redirect_uris: [redirectUri],
        grant_types: ['implicit'],
        response_types: ['id_token'],
        scope: 'openid profile',
      },
      undefined,
      { execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks, oidc.useIdTokenResponseType] },
    );
    const { url, checks } = request(made);
    const idToken = await oidc.implicitAuthentication(made, await comeBack(url), checks.expectedNonce, checks);
    expect(idToken).toMatchObject({ ...claims, aud: made.clientMetadata().client_id });
  });

  test('Dynamic: a request object is fetched from where the client has registered it', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256');
    let object = '';
    const host = await listen((_req, res) => void res.end(object));
    const requestUri = `${host.origin}/request.jwt`;
    const made = await oidc.dynamicClientRegistration(
      new URL(issuer),
      {
        redirect_uris: [redirectUri],
        scope: 'openid profile',
        request_uris: [requestUri],
        token_endpoint_auth_method: 'client_secret_post',
        jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: 'requests' }] },
      },
      undefined,
      { execute: [oidc.allowInsecureRequests] },
    );
    const { client_id: clientId } = made.clientMetadata();
    const { checks } = request(made);
    const asked = { client_id: clientId, response_type: 'code', scope: 'openid profile', redirect_uri: redirectUri };
    object = await new SignJWT({ ...asked, state: checks.expectedState, nonce: checks.expectedNonce })
      .setProtectedHeader({ alg: 'RS256', kid: 'requests' })
      .setIssuer(clientId)
      .setAudience(issuer)
      .setExpirationTime('5m')
      .sign(privateKey);
    const query = new URLSearchParams({ ...asked, request_uri: requestUri });
    const tokens = await oidc.authorizationCodeGrant(made, await comeBack(`${issuer}/oauth2/auth?${query}`), checks);
    expect(tokens.claims()).toMatchObject(claims);
    await host.close();
  });

  test('Config: there is a key for RS256 and one for ES256', async () => {
    const { jwks_uri: url = '' } = (await discover()).serverMetadata();
    const { keys } = (await (await fetch(url)).json()) as { readonly keys: readonly { readonly alg: string }[] };
    expect(keys.map(({ alg }) => alg).toSorted()).toEqual(['ES256', 'RS256']);
  });

  test('Dynamic: a client that names no scope is registered for those of the plans', async () => {
    const body = JSON.stringify({ redirect_uris: [redirectUri] });
    const headers = { 'content-type': 'application/json' };
    const made = await fetch(`${issuer}/oauth2/register`, { method: 'POST', headers, body });
    expect(await made.json()).toMatchObject({ scope: 'openid profile email address phone offline_access' });
  });

  test('Config: the document says what is on', async () => {
    expect((await discover()).serverMetadata()).toMatchObject({
      issuer,
      response_types_supported: expect.arrayContaining(['code', 'id_token', 'id_token token', 'code id_token']),
      subject_types_supported: expect.arrayContaining(['public', 'pairwise']),
      id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
      claims_parameter_supported: true,
      claims_supported: expect.arrayContaining(['sub', 'name', 'email']),
      scopes_supported: expect.arrayContaining(['openid', 'profile', 'email', 'address', 'phone']),
      request_parameter_supported: true,
      request_uri_parameter_supported: true,
    });
  });
});
