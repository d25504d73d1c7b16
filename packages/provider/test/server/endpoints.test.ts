import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { basicOf, registerClient } from '../clients.ts';
import { introspect, login } from '../login.ts';

describe('endpoints', () => {
  const instance = startBeforeTests();
  const client = registerBeforeTests(instance, 'structured', { access_token_strategy: 'jwt' });

  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${instance.issuer}${path}`, { method: 'POST', body: new URLSearchParams(form), headers });
  const basic = () => basicOf(client);
  const userinfo = async (accessToken: unknown) =>
    (await fetch(`${instance.issuer}/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } })).status;

  test('a JWT access token can be revoked, and all of its grant with it', async () => {
    const { access_token: accessToken, refresh_token: refreshToken } = await login(instance, client);
    expect(await userinfo(accessToken)).toBe(200);
    expect((await post('/oauth2/revoke', { token: String(accessToken) }, basic())).status).toBe(200);
    expect(await userinfo(accessToken)).toBe(401);
    expect(await introspect(instance, String(accessToken))).toEqual({ active: false });
    expect(await introspect(instance, String(refreshToken))).toEqual({ active: false });
  });

  test.each([
    ['a token', async () => (await login(instance, client)).refresh_token],
    ['an unknown token', async () => 'carnet_rt_never-issued'],
  ])('the empty answer to the revocation of %s has no content type', async (_what, token) => {
    const answer = await post('/oauth2/revoke', { token: String(await token()) }, basic());
    expect([answer.status, await answer.text(), answer.headers.get('content-type')]).toEqual([200, '', null]);
  });

  test('another client cannot use it', async () => {
    const other = await registerClient(instance, 'other');
    const { access_token: accessToken } = await login(instance, client);
    const { authorization = '' } = basicOf(other);
    expect((await post('/oauth2/revoke', { token: String(accessToken) }, { authorization })).status).toBe(400);
    expect(await userinfo(accessToken)).toBe(200);
  });

  test('a JWT that hangs on nothing stored is said to be beyond revocation', async () => {
    const issued = await post('/oauth2/token', { grant_type: 'client_credentials', scope: 'profile' }, basic());
    const { access_token: accessToken } = (await issued.json()) as { access_token: string };
    const answer = await post('/oauth2/revoke', { token: accessToken }, basic());
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'unsupported_token_type' }]);
  });

  test('a client authenticates by the method it is registered for and no other', async () => {
    const form = { grant_type: 'client_credentials', scope: 'profile' };
    const registered = { token_endpoint_auth_method: 'client_secret_post' };
    const { id, secret = '' } = await registerClient(instance, 'by-body', registered);
    const byHeader = {
      authorization: `Basic ${Buffer.from(`${id}:${encodeURIComponent(secret)}`).toString('base64')}`,
    };
    expect((await post('/oauth2/token', { ...form, client_id: id, client_secret: secret })).status).toBe(200);
    expect((await post('/oauth2/token', form, byHeader)).status).toBe(401);
  });

  test('a wrong method is told which ones there are', async () => {
    const answer = await fetch(`${instance.issuer}/oauth2/token`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect(await answer.json()).toMatchObject({ error: 'Method Not Allowed' });
  });

  test('userinfo is signed for a client that registered an algorithm', async () => {
    const signed = await registerClient(instance, 'signed', { userinfo_signed_response_alg: 'ES256' });
    const { access_token: accessToken } = await login(instance, signed);
    const answer = await fetch(`${instance.issuer}/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } });
    expect(answer.headers.get('content-type')).toContain('application/jwt');
    expect(decodeJwt(await answer.text())).toMatchObject({ sub: 'alice', aud: 'signed', iss: instance.issuer });
  });

  test.each([
    ['subject_type', 'pairwise'],
    ['id_token_encrypted_response_alg', 'RSA-OAEP'],
  ])('a client that asks for %s, which is not offered, is refused rather than ignored', async (name, value) => {
    const answer = await fetch(`${instance.admin}/admin/clients`, {
      method: 'POST',
      body: JSON.stringify({ redirect_uris: ['https://app.test/cb'], [name]: value }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'invalid_client_metadata' });
  });
});
