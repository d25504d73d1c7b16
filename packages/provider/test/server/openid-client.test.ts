import * as oidc from 'openid-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { createClientKeys } from '../client-keys.ts';
import { registerClient } from '../clients.ts';
import { consentPage, loginPage } from '../harness.ts';
import { authorizeAt } from '../login.ts';
import { connect, prepare, signIn } from '../relying-party.ts';
import { acceptLogout, logoutPage } from '../sign-out.ts';

const goodbye = 'https://app.test/goodbye';

/** What a standard relying party does, by the library that most of them use, unmodified. */
describe('openid-client', () => {
  const urls = { login: loginPage, consent: consentPage, logout: logoutPage };
  const instance = startBeforeTests({ config: { urls } });
  const client = registerBeforeTests(instance, 'relying-party', { post_logout_redirect_uris: [goodbye] });
  let config: oidc.Configuration;

  beforeAll(async () => {
    config = await connect(instance, client);
    oidc.enableNonRepudiationChecks(config);
  });

  test('discovers what there is', () => {
    expect(config.serverMetadata()).toMatchObject({
      issuer: instance.issuer,
      authorization_endpoint: `${instance.issuer}/oauth2/auth`,
      token_endpoint: `${instance.issuer}/oauth2/token`,
      revocation_endpoint: `${instance.issuer}/oauth2/revoke`,
      userinfo_endpoint: `${instance.issuer}/userinfo`,
      jwks_uri: `${instance.issuer}/.well-known/jwks.json`,
      end_session_endpoint: `${instance.issuer}/oauth2/sessions/logout`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    });
    expect(config.serverMetadata().supportsPKCE()).toBe(true);
  });

  test('logs in and validates state, iss and the ID token with its nonce, signature and at_hash', async () => {
    const before = Math.floor(Date.now() / 1000);
    const tokens = await signIn(instance, config, { login: { acr: 'urn:two', amr: ['pwd', 'otp'] } });
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'openid offline_access profile', expires_in: 3600 });
    const claims = tokens.claims();
    expect(claims).toMatchObject({
      iss: instance.issuer,
      aud: client.id,
      sub: 'alice',
      acr: 'urn:two',
      amr: ['pwd', 'otp'],
      sid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      jti: expect.any(String),
      at_hash: expect.any(String),
    });
    expect(claims?.auth_time).toBeGreaterThanOrEqual(before);
    expect(claims?.auth_time).toBeLessThanOrEqual(claims?.iat ?? 0);
  });

  test.each([
    ['state', { expectedState: 'another' }],
    ['nonce', { expectedNonce: 'another' }],
    ['code_verifier', { pkceCodeVerifier: 'another-verifier-of-forty-three-characters-xx' }],
  ])('refuses the answer when its %s is not the one of the request', async (_what, wrong) => {
    const { url, checks } = await prepare(config);
    const end = await authorizeAt(instance, url);
    await expect(oidc.authorizationCodeGrant(config, end, { ...checks, ...wrong })).rejects.toThrow();
  });

  test('refuses an answer whose iss is another one', async () => {
    const { url, checks } = await prepare(config);
    const mixedUp = await authorizeAt(instance, url);
    expect(mixedUp.searchParams.get('iss')).toBe(instance.issuer);
    mixedUp.searchParams.set('iss', 'https://other.test');
    await expect(oidc.authorizationCodeGrant(config, mixedUp, checks)).rejects.toMatchObject({
      code: 'OAUTH_INVALID_RESPONSE',
      cause: { message: expect.stringContaining('"iss"') },
    });
  });

  test('reads userinfo, with the claims the consent app gave, but for those that are ours', async () => {
    const given = { name: 'Alice', email: 'alice@app.test' };
    const parties = { iss: 'x', sub: 'x', aud: 'x', azp: 'x', nonce: 'x', jti: 'x', sid: 'x', at_hash: 'x' };
    const ours = { ...parties, exp: 1, nbf: 1 };
    const consent = { session: { id_token: { ...given, ...ours } } };
    const tokens = await signIn(instance, config, { consent });
    const claims = tokens.claims() ?? {};
    expect(claims).toMatchObject({ ...given, sub: 'alice', iss: instance.issuer, aud: client.id });
    const info = await oidc.fetchUserInfo(config, tokens.access_token, 'alice');
    expect(info).toMatchObject({ ...given, sub: 'alice' });
    for (const [name, value] of Object.entries(ours)) {
      expect((claims as Record<string, unknown>)[name]).not.toBe(value);
      expect(info[name]).not.toBe(value);
    }
  });

  test('refreshes: new tokens for the same person, and the old refresh token retires', async () => {
    const first = await signIn(instance, config);
    const second = await oidc.refreshTokenGrant(config, String(first.refresh_token));
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second.access_token).not.toBe(first.access_token);
    const before = first.claims();
    expect(second.claims()).toMatchObject({ sub: 'alice', sid: before?.sid, auth_time: before?.auth_time });
    const third = await oidc.refreshTokenGrant(config, String(second.refresh_token), { scope: 'openid' });
    expect(third.scope).toBe('openid');
    const wider = oidc.refreshTokenGrant(config, String(third.refresh_token), { scope: 'openid email' });
    await expect(wider).rejects.toThrow();
  });

  test('gets tokens of its own by client_credentials, for registered scopes alone', async () => {
    const tokens = await oidc.clientCredentialsGrant(config, { scope: 'profile email' });
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'profile email', expires_in: 3600 });
    expect(tokens.refresh_token).toBeUndefined();
    const wider = oidc.clientCredentialsGrant(config, { scope: 'admin' });
    await expect(wider).rejects.toMatchObject({ error: 'invalid_scope' });
  });

  test('logs out, and comes back to the registered address with its state', async () => {
    const browser = createBrowser();
    const tokens = await signIn(instance, config, { browser, login: { remember: true } });
    const url = oidc.buildEndSessionUrl(config, {
      id_token_hint: String(tokens.id_token),
      post_logout_redirect_uri: goodbye,
      state: 'after',
    });
    const asked = await browser.get(url.href);
    expect(locationOf(asked).href.startsWith(`${logoutPage}?logout_challenge=`)).toBe(true);
    const end = await browser.get(await acceptLogout(instance, asked));
    expect(locationOf(end).href).toBe(`${goodbye}?state=after`);
  });

  describe('as another kind of client', () => {
    test('with its secret in the body', async () => {
      const posting = await registerClient(instance, 'posting', { token_endpoint_auth_method: 'client_secret_post' });
      const byPost = await connect(instance, posting, oidc.ClientSecretPost(posting.secret));
      expect((await signIn(instance, byPost)).claims()?.aud).toBe(posting.id);
      const open = await connect(instance, { id: posting.id });
      await expect(oidc.clientCredentialsGrant(open)).rejects.toMatchObject({ error: 'invalid_client' });
    });

    test('public: PKCE and no secret', async () => {
      const open = await registerClient(instance, 'public-app', { token_endpoint_auth_method: 'none' });
      const byNone = await connect(instance, open);
      const tokens = await signIn(instance, byNone);
      expect((await oidc.refreshTokenGrant(byNone, String(tokens.refresh_token))).claims()?.sub).toBe('alice');
      await oidc.tokenRevocation(byNone, tokens.access_token);
      await expect(oidc.fetchUserInfo(byNone, tokens.access_token, 'alice')).rejects.toMatchObject({ status: 401 });
    });

    test.each(['RS256', 'PS256', 'ES256', 'Ed25519'])('private_key_jwt with %s', async (alg) => {
      const { privateKey, jwks } = await createClientKeys(alg, `key of ${alg}`);
      const signing = await registerClient(instance, `signing-${alg}`, {
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: alg,
        jwks,
      });
      const byKey = await connect(instance, signing, oidc.PrivateKeyJwt({ key: privateKey, kid: `key of ${alg}` }));
      expect((await signIn(instance, byKey)).claims()?.aud).toBe(signing.id);
      expect((await oidc.clientCredentialsGrant(byKey, { scope: 'email' })).scope).toBe('email');
    });

    test('private_key_jwt with the key of somebody else is refused', async () => {
      const [own, other] = [await createClientKeys(), await createClientKeys()];
      const metadata = { token_endpoint_auth_method: 'private_key_jwt', jwks: own.jwks };
      const signing = await registerClient(instance, 'signing-badly', metadata);
      const byKey = await connect(instance, signing, oidc.PrivateKeyJwt({ key: other.privateKey, kid: 'key' }));
      await expect(oidc.clientCredentialsGrant(byKey)).rejects.toMatchObject({ error: 'invalid_client' });
    });

    test.each([
      ['a colon and a percent sign', 'se:cr%et+with%3Areserved'],
      ['blanks and plus signs', 'a secret + of + blanks'],
      ['everything printable', '!#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~ "aZ09'],
    ])('with %s in its secret, by basic and by post', async (what, client_secret) => {
      for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
        const id = `${method} ${what}`;
        const special = await registerClient(instance, id, { client_secret, token_endpoint_auth_method: method });
        const authentication = method === 'client_secret_basic' ? oidc.ClientSecretBasic : oidc.ClientSecretPost;
        const right = await connect(instance, special, authentication(client_secret));
        expect((await oidc.clientCredentialsGrant(right, { scope: 'email' })).scope).toBe('email');
        const wrong = await connect(instance, special, authentication(`${client_secret} `));
        await expect(oidc.clientCredentialsGrant(wrong)).rejects.toMatchObject({ status: 401 });
      }
    });
  });
});
