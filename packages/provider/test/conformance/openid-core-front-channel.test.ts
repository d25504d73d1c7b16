import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { createBrowser } from '../browser.ts';
import { adminClients, refusal, userinfo } from '../call.ts';
import { redirectUri, registerClient } from '../clients.ts';
import { askLogin, introspect, redeem } from '../login.ts';
import { answer, answeringBeforeTests, ask, claimsOf, everyType, halfHash } from './answers.ts';

/** The implicit and the hybrid flow. */
describe('OpenID Connect Core 1.0', () => {
  const { instance, client } = answeringBeforeTests();

  describe.each(['id_token', 'id_token token'])('3.2 implicit: %s', (response_type) => {
    test('3.2.2.1 needs a nonce, and the openid scope', async () => {
      const without = await ask(instance, client, { response_type, nonce: '' });
      expect([without.mode, without.params.error]).toEqual(['fragment', 'invalid_request']);
      expect((await ask(instance, client, { response_type, scope: 'profile' })).params.error).toBe('invalid_scope');
    });

    test('3.2.2.5 brings no code, and no refresh token whatever the scope', async () => {
      const { params } = await answer(instance, client, { response_type, scope: 'openid offline_access' });
      expect(params).not.toHaveProperty('code');
      expect(params).not.toHaveProperty('refresh_token');
    });

    test('11 an offline_access that no code goes with is ignored: nobody is asked for it', async () => {
      const params = { response_type, scope: 'openid offline_access' };
      expect((await askLogin(instance, client, { params })).requested_scope).toEqual(['openid']);
    });

    test('3.2.2.6 errors come in the fragment, with state', async () => {
      const { mode, params } = await ask(instance, client, { response_type, prompt: 'none', state: 'mine' });
      expect([mode, params.error, params.state]).toEqual(['fragment', 'login_required', 'mine']);
    });

    test('3.2.2.10 the ID token has the nonce, and at_hash when an access token came with it', async () => {
      const { params } = await answer(instance, client, { response_type, nonce: 'mine' });
      const { nonce, at_hash, c_hash } = await claimsOf(instance, client, params.id_token);
      expect({ nonce, at_hash, c_hash }).toEqual({
        nonce: 'mine',
        at_hash: params.access_token && halfHash(params.access_token),
        c_hash: undefined,
      });
    });
  });

  test('3.2.2.1, Registration 2 web clients of these flows have https addresses, and not localhost', async () => {
    for (const uri of ['http://app.test/callback', 'https://localhost/callback']) {
      expect(await adminClients(instance, 'POST', '', { ...everyType, redirect_uris: [uri] })).toMatchObject(
        refusal('invalid_client_metadata'),
      );
    }
  });

  test.each(['id_token', 'id_token token', 'code id_token', 'code id_token token'])(
    '3.1.2.1 %s: nobody is named to the client if the user does not grant openid',
    async (response_type) => {
      const consent = { grant_scope: ['profile'] };
      const { mode, params } = await answer(instance, client, { response_type }, { consent });
      expect([mode, params.error]).toEqual(['fragment', 'access_denied']);
      for (const name of ['code', 'access_token', 'id_token']) expect(params).not.toHaveProperty(name);
    },
  );

  test('3.2.2.5 the access token opens userinfo, for the sub of the ID token (5.3.2)', async () => {
    const { params } = await answer(instance, client, { response_type: 'id_token token' });
    const { body } = await userinfo(instance, params.access_token);
    expect(body.sub).toBe(decodeJwt(params.id_token ?? '').sub);
  });

  test.each(['opaque', 'jwt'])('3.2.2.5 an access token that is %s is known to introspection', async (strategy) => {
    const app = await registerClient(instance, strategy, { ...everyType, access_token_strategy: strategy });
    const { params } = await answer(instance, app, { response_type: 'id_token token' });
    expect(await introspect(instance, params.access_token)).toMatchObject({ active: true, sub: 'alice' });
    expect(params.access_token?.startsWith('ey')).toBe(strategy === 'jwt');
  });

  test('5.4 without an access token the claims stand in the ID token', async () => {
    const consent = { session: { id_token: { name: 'Alice' } } };
    const { params } = await answer(instance, client, { response_type: 'id_token' }, { consent });
    expect(decodeJwt(params.id_token ?? '').name).toBe('Alice');
  });

  test('lifetimes are those of the implicit grant, where a client has some', async () => {
    const brief = await registerClient(instance, 'brief', {
      ...everyType,
      implicit_grant_access_token_lifespan: '1m0s',
      implicit_grant_id_token_lifespan: '2m0s',
    });
    const { params } = await answer(instance, brief, { response_type: 'id_token token' });
    const { exp = 0, iat = 0 } = decodeJwt(params.id_token ?? '');
    expect([params.expires_in, exp - iat]).toEqual(['60', 120]);
  });

  describe.each(['code id_token', 'code token', 'code id_token token'])('3.3 hybrid: %s', (response_type) => {
    const withIdToken = response_type.includes('id_token');

    test('3.3.2.2, 3.3.2.11 needs a nonce where it brings an ID token', async () => {
      const { error } = (await ask(instance, client, { response_type, nonce: '', prompt: 'none' })).params;
      expect(error).toBe(withIdToken ? 'invalid_request' : 'login_required');
    });

    test('3.3.2.6 errors come in the fragment', async () => {
      const { mode, params } = await ask(instance, client, { response_type, prompt: 'none' });
      expect([mode, params.error]).toEqual(['fragment', 'login_required']);
    });

    test('3.3.2.11 the ID token has nonce and c_hash, and at_hash when an access token came with it', async () => {
      const { params } = await answer(instance, client, { response_type, nonce: 'mine' });
      if (!withIdToken) return expect(params).not.toHaveProperty('id_token');
      const { nonce, at_hash, c_hash } = await claimsOf(instance, client, params.id_token);
      expect({ nonce, at_hash, c_hash }).toEqual({
        nonce: 'mine',
        at_hash: params.access_token && halfHash(params.access_token),
        c_hash: halfHash(params.code ?? ''),
      });
    });

    test('3.3.3.6 the ID token of the token endpoint says the same of the same person', async () => {
      const { params } = await answer(instance, client, { response_type, nonce: 'mine' });
      const { status, body } = await redeem(instance, client, params.code ?? '');
      expect(status).toBe(200);
      const second = await claimsOf(instance, client, body.id_token);
      expect(second.nonce).toBe('mine');
      if (!withIdToken) return;
      const first = decodeJwt(params.id_token ?? '');
      for (const name of ['iss', 'sub', 'aud', 'nonce', 'auth_time', 'sid']) expect(second[name]).toEqual(first[name]);
    });
  });

  test('3.3.3.8 both access tokens live side by side', async () => {
    const { params } = await answer(instance, client, { response_type: 'code token' });
    const { body } = await redeem(instance, client, params.code ?? '');
    expect(params.access_token).not.toBe(body.access_token);
    for (const value of [params.access_token, body.access_token]) {
      expect((await introspect(instance, value)).active).toBe(true);
    }
  });

  test('3.3.3.8 the first one keeps its time, however brief the second', async () => {
    const brief = await registerClient(instance, 'brief-second', {
      ...everyType,
      authorization_code_grant_access_token_lifespan: '1m0s',
    });
    const endOf = (kind: string): number | undefined => {
      const records = instance.calls.commits.flat().flatMap((write) => (write.type === 'put' ? [write.record] : []));
      return records.findLast((record) => record.kind === kind)?.expiresAt?.getTime();
    };
    const options = { consent: { grant_scope: ['openid'] } };
    const { params } = await answer(instance, brief, { response_type: 'code token' }, options);
    const [grantEnds, tokenEnds = 0] = [endOf('grant'), endOf('access_token')];
    expect(grantEnds).toBe(tokenEnds);
    await redeem(instance, brief, params.code ?? '');
    expect(endOf('access_token')).toBeLessThan(tokenEnds);
    expect(endOf('grant')).toBeGreaterThanOrEqual(tokenEnds);
  });

  test('11 a hybrid flow may bring a refresh token, by its code', async () => {
    const { params } = await answer(instance, client, { response_type: 'code id_token' });
    expect((await redeem(instance, client, params.code ?? '')).body.refresh_token).toBeTruthy();
  });

  test('3.1.2.1 the request may come by POST for these, too', async () => {
    const url = `${instance.issuer}/oauth2/auth`;
    const form = { client_id: client.id, response_type: 'id_token', scope: 'openid', redirect_uri: redirectUri };
    const { headers } = await createBrowser().post(url, form);
    expect(headers.get('location')).toContain('#error=invalid_request');
    expect((await createBrowser().get(url)).status).toBe(302);
  });
});
