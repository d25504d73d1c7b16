import { Configuration, MetadataApi, OAuth2Api, type OAuth2Client, OidcApi, WellknownApi } from '@ory/hydra-client';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { bearerGrant, createAssertionIssuer } from '../../../provider/test/assertions.ts';
import { type Browser, createBrowser, locationOf } from '../../../provider/test/browser.ts';
import { redirectUri } from '../../../provider/test/clients.ts';
import { type Instance, start } from '../../../provider/test/harness.ts';
import { refusal, unknownMembers } from '../../../provider/test/hydra-client/sdk.ts';
import { authorizationUrl, codeVerifier } from '../../../provider/test/login.ts';
import { convertHydra } from '../../src/from-hydra/convert.ts';
import { hydraWithEverything } from './everything.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** What a program that was written for Hydra does all day, by Ory's SDK and nothing else. */
describe("a Hydra user's program on a configuration with everything", () => {
  let instance: Instance;
  let admin: OAuth2Api;
  let client: OAuth2Client;
  beforeAll(async () => {
    const { settings } = convertHydra(parse(hydraWithEverything));
    const { issuer: _issuer, public: _public, admin: _admin, storage: _storage, keys: _keys, ...config } = settings;
    instance = await start({ config });
    admin = new OAuth2Api(new Configuration({ basePath: instance.admin }));
    ({ data: client } = await admin.createOAuth2Client({
      oAuth2Client: {
        client_name: 'From Hydra',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials', deviceGrant, bearerGrant],
        response_types: ['code'],
        scope: 'openid offline_access photos.*',
        audience: ['https://api.test'],
        token_endpoint_auth_method: 'client_secret_post',
        post_logout_redirect_uris: ['https://app.test/goodbye'],
        owner: 'the-team',
      },
    }));
  });
  afterAll(() => instance.stop());

  const form = async (path: string, params: Record<string, string>) => {
    const body = new URLSearchParams({
      client_id: String(client.client_id),
      client_secret: String(client.client_secret),
      ...params,
    });
    const response = await fetch(instance.issuer + path, { method: 'POST', body });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  const decide = async (browser: Browser, toLogin: URL, scope: string[]): Promise<URL> => {
    const loginChallenge = String(toLogin.searchParams.get('login_challenge'));
    const { data: asked } = await admin.getOAuth2LoginRequest({ loginChallenge });
    expect(unknownMembers('OAuth2LoginRequest', asked)).toEqual([]);
    const { data: login } = await admin.acceptOAuth2LoginRequest({
      loginChallenge,
      acceptOAuth2LoginRequest: {
        subject: 'alice',
        remember: true,
        remember_for: 3_600,
        acr: '1',
        amr: ['pwd'],
        context: { a: 1 },
      },
    });
    const toConsent = locationOf(await browser.get(login.redirect_to));
    const consentChallenge = String(toConsent.searchParams.get('consent_challenge'));
    const { data: consentAsked } = await admin.getOAuth2ConsentRequest({ consentChallenge });
    expect(unknownMembers('OAuth2ConsentRequest', consentAsked)).toEqual([]);
    expect(consentAsked).toMatchObject({ subject: 'alice', acr: '1', amr: ['pwd'], context: { a: 1 } });
    const { data: consent } = await admin.acceptOAuth2ConsentRequest({
      consentChallenge,
      acceptOAuth2ConsentRequest: {
        grant_scope: scope,
        grant_access_token_audience: consentAsked.requested_access_token_audience,
        remember: true,
        remember_for: 0,
        handled_at: new Date().toISOString(),
        session: { id_token: { email: 'a@b.test' }, access_token: { role: 'admin' } },
      } as never,
    });
    return locationOf(await browser.get(consent.redirect_to));
  };

  /** The page to which an authorization request leads. */
  const request = async (browser: Browser, params: Record<string, string>): Promise<URL> =>
    locationOf(await browser.get(authorizationUrl(instance, { id: String(client.client_id) }, params)));

  const signIn = async (browser: Browser) => {
    const scopes = ['openid', 'offline_access', 'photos.read'];
    const toLogin = await request(browser, { scope: scopes.join(' '), audience: 'https://api.test' });
    const end = await decide(browser, toLogin, scopes);
    return form('/oauth2/token', {
      grant_type: 'authorization_code',
      code: String(end.searchParams.get('code')),
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    });
  };

  test('signs in, refreshes, asks userinfo and introspection, and revokes', async () => {
    const { body } = await signIn(createBrowser());
    expect(decodeJwt(String(body.id_token))).toMatchObject({ sub: 'alice', acr: '1', amr: ['pwd'], email: 'a@b.test' });
    const refreshed = await form('/oauth2/token', {
      grant_type: 'refresh_token',
      refresh_token: String(body.refresh_token),
    });
    expect(refreshed.status).toBe(200);
    const token = String(refreshed.body.access_token);
    const { data: introspection } = await admin.introspectOAuth2Token({ token, scope: 'photos.read' });
    expect(unknownMembers('IntrospectedOAuth2Token', introspection)).toEqual([]);
    expect(introspection).toMatchObject({
      active: true,
      aud: ['https://api.test'],
      ext: { role: 'admin' },
      sub: 'alice',
      token_use: 'access_token',
    });
    const oidc = new OidcApi(new Configuration({ basePath: instance.issuer, accessToken: token }));
    expect((await oidc.getOidcUserInfo()).data).toMatchObject({ sub: 'alice', email: 'a@b.test' });
    const own = new OAuth2Api(new Configuration({ basePath: instance.issuer }));
    await own.revokeOAuth2Token({
      token,
      clientId: String(client.client_id),
      clientSecret: String(client.client_secret),
    });
    expect((await admin.introspectOAuth2Token({ token })).data).toEqual({ active: false });
  });

  test('gets tokens by the SDK as well', async () => {
    const { data: machine } = await admin.createOAuth2Client({
      oAuth2Client: { grant_types: ['client_credentials'], scope: 'photos.*' },
    });
    const own = new Configuration({
      basePath: instance.issuer,
      username: machine.client_id,
      password: machine.client_secret,
    });
    const { data } = await new OAuth2Api(own).oauth2TokenExchange({ grantType: 'client_credentials' });
    expect(data).toMatchObject({ token_type: 'Bearer', expires_in: 3_600 });
  });

  test('lets a device in, by a code as `entropy_preset` says', async () => {
    const codes = await form('/oauth2/device/auth', { scope: 'openid offline_access' });
    expect(codes.status).toBe(200);
    expect(codes.body.user_code).toMatch(/^\d{3}-\d{3}-\d{3}$/);
    const browser = createBrowser();
    const toPage = locationOf(await browser.get(String(codes.body.verification_uri_complete)));
    expect(toPage.href).toContain('http://login.test/device/verify?');
    const { data } = await admin.acceptUserCodeRequest({
      deviceChallenge: String(toPage.searchParams.get('device_challenge')),
      acceptDeviceUserCodeRequest: { user_code: String(codes.body.user_code) },
    });
    const end = await decide(browser, locationOf(await browser.get(data.redirect_to)), ['openid', 'offline_access']);
    expect(end.href).toContain('http://login.test/device/success');
    const { body } = await form('/oauth2/token', {
      grant_type: deviceGrant,
      device_code: String(codes.body.device_code),
    });
    expect(body).toHaveProperty('refresh_token');
  });

  test('trusts an issuer of assertions, without `jti` and `iat` as configured', async () => {
    const trusted = await createAssertionIssuer('https://issuer.test');
    await admin.trustOAuth2JwtGrantIssuer({
      trustOAuth2JwtGrantIssuer: {
        issuer: trusted.issuer,
        subject: 'bob',
        scope: ['photos.read'],
        jwk: trusted.jwk as never,
        expires_at: new Date(Date.now() + 9e5).toISOString(),
      },
    });
    const assertion = await trusted.sign(`${instance.issuer}/oauth2/token`, {
      sub: 'bob',
      jti: undefined,
      iat: undefined,
    });
    const answer = await form('/oauth2/token', { grant_type: bearerGrant, assertion, scope: 'photos.read' });
    expect(answer.status).toBe(200);
  });

  test('lists and revokes consents, and ends sessions', async () => {
    const browser = createBrowser();
    await signIn(browser);
    const { data: sessions } = await admin.listOAuth2ConsentSessions({ subject: 'alice' });
    expect(sessions).toContainEqual(
      expect.objectContaining({
        grant_scope: ['openid', 'offline_access', 'photos.read'],
        grant_access_token_audience: ['https://api.test'],
        remember: true,
        consent_request: expect.objectContaining({ subject: 'alice' }),
      }),
    );
    expect((await admin.listOAuth2ConsentSessions({ subject: 'nobody' })).data).toEqual([]);
    expect((await admin.revokeOAuth2ConsentSessions({ subject: 'alice', client: client.client_id })).status).toBe(204);
    expect((await admin.revokeOAuth2ConsentSessions({ subject: 'alice', all: true })).status).toBe(204);
    expect((await refusal(admin.revokeOAuth2ConsentSessions({ subject: 'alice' }))).status).toBe(400);
    expect((await admin.revokeOAuth2LoginSessions({ subject: 'alice' })).status).toBe(204);
  });

  test('logs out, by a page of its own', async () => {
    const browser = createBrowser();
    const { body } = await signIn(browser);
    const query = `id_token_hint=${body.id_token}&post_logout_redirect_uri=https://app.test/goodbye&state=x`;
    const toPage = locationOf(await browser.get(`${instance.issuer}/oauth2/sessions/logout?${query}`));
    const logoutChallenge = String(toPage.searchParams.get('logout_challenge'));
    const { data } = await admin.getOAuth2LogoutRequest({ logoutChallenge });
    expect(unknownMembers('OAuth2LogoutRequest', data)).toEqual([]);
    expect(data).toMatchObject({ subject: 'alice', rp_initiated: true });
    const { data: accepted } = await admin.acceptOAuth2LogoutRequest({ logoutChallenge });
    expect((await browser.get(accepted.redirect_to)).headers.get('location')).toBe('https://app.test/goodbye?state=x');
    const again = locationOf(await browser.get(`${instance.issuer}/oauth2/sessions/logout`));
    expect(again.href).toBe('http://login.test/');
  });

  test('rejects a login', async () => {
    const browser = createBrowser();
    const toLogin = await request(browser, { scope: 'openid' });
    const { data } = await admin.rejectOAuth2LoginRequest({
      loginChallenge: String(toLogin.searchParams.get('login_challenge')),
      rejectOAuth2Request: { error: 'access_denied', error_description: 'no' },
    });
    const { searchParams } = locationOf(await browser.get(data.redirect_to));
    expect([searchParams.get('error'), searchParams.get('error_description')]).toEqual(['access_denied', 'no']);
  });

  test('manages clients', async () => {
    const id = String(client.client_id);
    expect((await admin.getOAuth2Client({ id })).data).not.toHaveProperty('client_secret');
    const listed = await admin.listOAuth2Clients({ clientName: 'From Hydra', owner: 'the-team', pageSize: 2 });
    expect(listed.data).toHaveLength(1);
    const jsonPatch = [{ op: 'replace', path: '/client_name', value: 'New' }];
    expect((await admin.patchOAuth2Client({ id, jsonPatch })).data.client_name).toBe('New');
    const oAuth2Client = { ...(await admin.getOAuth2Client({ id })).data, client_uri: 'https://x.test' };
    expect((await admin.setOAuth2Client({ id, oAuth2Client })).data.client_uri).toBe('https://x.test');
    const lifespans = await admin.setOAuth2ClientLifespans({
      id,
      oAuth2ClientTokenLifespans: { authorization_code_grant_access_token_lifespan: '31h' },
    });
    expect(lifespans.data.authorization_code_grant_access_token_lifespan).toBe('31h0m0s');
    expect((await admin.deleteOAuth2Token({ clientId: id })).status).toBe(204);
    const refused = await refusal(admin.createOAuth2Client({ oAuth2Client: { client_id: id } }));
    expect(refused.status).toBe(409);
  });

  test.each(['registration', 'create'])('sends prompt=%s to the registration page', async (prompt) => {
    const browser = createBrowser();
    await signIn(browser);
    const toPage = await request(browser, { scope: 'openid', prompt });
    expect(toPage.origin + toPage.pathname).toBe('http://login.test/registration');
    const loginChallenge = String(toPage.searchParams.get('login_challenge'));
    expect((await admin.getOAuth2LoginRequest({ loginChallenge })).data.skip).toBe(false);
    const end = await decide(browser, toPage, ['openid']);
    expect(end.searchParams.get('code')).not.toBeNull();
  });

  test('asks after health, version, keys and the discovery document', async () => {
    const metadata = new MetadataApi(new Configuration({ basePath: instance.admin }));
    expect((await metadata.isAlive()).data).toEqual({ status: 'ok' });
    expect((await metadata.isReady()).data).toEqual({ status: 'ok' });
    expect((await metadata.getVersion()).data).toHaveProperty('version');
    const anybody = new Configuration({ basePath: instance.issuer });
    expect((await new WellknownApi(anybody).discoverJsonWebKeys()).data.keys?.length).toBeGreaterThan(0);
    expect((await new OidcApi(anybody).discoverOidcConfiguration()).data).toMatchObject({
      claims_supported: expect.arrayContaining(['sub', 'email', 'username']),
      scopes_supported: ['openid', 'offline_access', 'offline', 'email', 'photos'],
      subject_types_supported: ['public', 'pairwise'],
      prompt_values_supported: expect.arrayContaining(['none', 'login', 'consent', 'create']),
    });
  });

  test('registers a client of its own, which manages itself', async () => {
    const as = (accessToken?: string) => new OidcApi(new Configuration({ basePath: instance.issuer, accessToken }));
    const { data: made } = await as().createOidcDynamicClient({ oAuth2Client: { redirect_uris: [redirectUri] } });
    expect(made.scope).toBe('openid offline_access');
    const id = String(made.client_id);
    const mine = as(made.registration_access_token);
    expect((await mine.getOidcDynamicClient({ id })).data.client_id).toBe(id);
    const { data: changed } = await mine.setOidcDynamicClient({
      id,
      oAuth2Client: { ...made, client_name: 'changed', client_secret: undefined },
    });
    expect((await refusal(mine.getOidcDynamicClient({ id }))).status).toBe(401);
    expect((await as(changed.registration_access_token).deleteOidcDynamicClient({ id })).status).toBe(204);
  });
});
