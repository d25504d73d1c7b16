import { createHash } from 'node:crypto';
import { decodeJwt, type JWTPayload, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { bearerOf, call, userinfo } from '../call.ts';
import { createClientKeys } from '../client-keys.ts';
import { redirectUri, registerClient } from '../clients.ts';
import { authorizationUrl, codeChallenge, credentialsFor, errorAt, login, redeem } from '../login.ts';
import { allOn, answer, answeringBeforeTests, ask, everyType, halfHash } from './answers.ts';

const salt = 'a salt of the tests';
const keys = await createClientKeys('RS256');
const { jwks } = keys;
const pairwise = { ...everyType, subject_type: 'pairwise' };
const sub = createHash('sha256').update(`app.testalice${salt}`).digest('hex');

/** Request objects, pairwise subjects, client authentication by key. */
describe('OpenID Connect Core 1.0', () => {
  const subjectIdentifiers = { supportedTypes: ['public' as const, 'pairwise' as const], pairwise: { salt } };
  const { instance, client } = answeringBeforeTests(
    { config: { features: allOn, oidc: { subjectIdentifiers } } },
    { jwks },
  );

  const requestObject = (claims: JWTPayload = {}) => {
    const nbf = Math.floor(Date.now() / 1000) - 1;
    const usual = { iss: client.id, aud: instance.issuer, client_id: client.id, nonce: 'of the object', nbf };
    return keys.sign({ ...usual, ...claims });
  };

  describe('6.1 the request parameter', () => {
    test('what the signed object says counts, for every response type', async () => {
      for (const response_type of ['code', 'code id_token']) {
        const request = await requestObject({
          response_type,
          redirect_uri: redirectUri,
          scope: 'openid',
          state: 'of the object',
          nonce: 'of the object',
          code_challenge: codeChallenge,
          code_challenge_method: 'S256',
        });
        const { params } = await answer(instance, client, { response_type, request, state: 'of the URL' });
        expect(params.state).toBe('of the object');
        const { body } = await redeem(instance, client, params.code ?? '');
        expect(decodeJwt(String(body.id_token)).nonce).toBe('of the object');
      }
    });

    test('6.1 its response_type and client_id are those of the URL, or it is refused', async () => {
      for (const claims of [{ response_type: 'id_token' }, { client_id: 'another' }]) {
        const request = await requestObject(claims);
        const { params } = await ask(instance, client, { request, response_mode: 'query' });
        expect(params.error).toBe('invalid_request_object');
      }
    });

    test('6.1, 6.3.2 it is signed by the client, for this issuer', async () => {
      const unsigned = new UnsecuredJWT({ client_id: client.id }).encode();
      for (const request of [unsigned, 'nonsense', await requestObject({ aud: 'https://other.test' })]) {
        expect((await ask(instance, client, { request })).params.error).toBe('invalid_request_object');
      }
    });

    test('6.1 it names no request of its own', async () => {
      const request = await requestObject({ request_uri: 'https://app.test/other' });
      expect((await ask(instance, client, { request })).params.error).toBe('invalid_request_object');
    });
  });

  test('8.1 a pairwise sub is one in all answers to a client: front channel, token endpoint, userinfo', async () => {
    const app = await registerClient(instance, 'pairwise', pairwise);
    const { params } = await answer(instance, app, { response_type: 'code id_token token' });
    const { body } = await redeem(instance, app, params.code ?? '');
    const info = await userinfo(instance, params.access_token);
    const subjects = [decodeJwt(params.id_token ?? '').sub, decodeJwt(String(body.id_token)).sub, info.body.sub];
    expect(subjects).toEqual([sub, sub, sub]);
    // 8.1: it tells a client nothing of what another client calls the person.
    const redirect_uri = 'https://other.test/callback';
    const other = await registerClient(instance, 'other-sector', { ...pairwise, redirect_uris: [redirect_uri] });
    const hinted = { redirect_uri, prompt: 'none', id_token_hint: params.id_token ?? '' };
    expect(await errorAt(authorizationUrl(instance, other, hinted))).toBe('invalid_request');
  });

  test('5.5.1, 8.1 a sub that is asked for is the pairwise one', async () => {
    const app = await registerClient(instance, 'pairwise-claims', pairwise);
    const asking = (value: string) => ({ claims: JSON.stringify({ id_token: { sub: { value } } }) });
    expect((await answer(instance, app, asking(sub))).params.code).toBeTruthy();
    expect((await answer(instance, app, asking('alice'))).params.error).toBe('login_required');
  });

  test('3.1.3.6 at_hash of the token endpoint is of the access token beside it', async () => {
    const { id_token: idToken, access_token: accessToken } = await login(instance, client);
    expect(decodeJwt(String(idToken)).at_hash).toBe(halfHash(String(accessToken)));
  });

  describe('9 private_key_jwt', () => {
    const tokenWith = async (claims: JWTPayload) => {
      const app = await registerClient(instance, 'by-key', {
        grant_types: ['client_credentials'],
        token_endpoint_auth_method: 'private_key_jwt',
        jwks,
      });
      const authentication = await keys.authenticate(app.id, instance.issuer, claims);
      const send = () => credentialsFor(instance, app, authentication);
      return { first: (await send()).status, second: (await send()).status };
    };

    test('9 is accepted once', async () => {
      expect(await tokenWith({})).toEqual({ first: 200, second: 401 });
      expect((await tokenWith({ aud: `${instance.issuer}/oauth2/token` })).first).toBe(200);
    });

    test.each(['iss', 'sub', 'aud', 'jti', 'exp'])('9 %s is required', async (name) => {
      expect((await tokenWith({ [name]: undefined })).first).toBe(401);
    });
  });

  test('5.3.1 userinfo may be asked by pages of the origins a client registered', async () => {
    const app = await registerClient(instance, 'spa', { allowed_cors_origins: ['https://spa.test'] });
    const { access_token: accessToken } = await login(instance, app);
    const headers = { ...bearerOf(accessToken), origin: 'https://spa.test' };
    const response = await call(`${instance.issuer}/userinfo`, { headers });
    expect(response.headers.get('access-control-allow-origin')).toBe('https://spa.test');
  });
});
