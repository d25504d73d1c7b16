import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { adminClients, call, postForm, refusal, userinfo } from '../call.ts';
import { basicOf, registerClient } from '../clients.ts';
import { credentialsFor, introspect, login } from '../login.ts';

describe('endpoints', () => {
  const instance = startBeforeTests();
  const client = registerBeforeTests(instance, 'structured', { access_token_strategy: 'jwt' });

  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    postForm(`${instance.issuer}${path}`, form, headers);
  const basic = () => basicOf(client);

  test.each([
    ['access_token', 'jwt'],
    ['access_token', 'opaque'],
    ['refresh_token', 'jwt'],
    ['refresh_token', 'opaque'],
  ])('the revocation of the %s takes all of its grant with it: %s', async (name, access_token_strategy) => {
    const revoking = await registerClient(instance, `${name}-${access_token_strategy}`, { access_token_strategy });
    const tokens = await login(instance, revoking);
    expect((await userinfo(instance, tokens.access_token)).status).toBe(200);
    expect((await post('/oauth2/revoke', { token: String(tokens[name]) }, basicOf(revoking))).status).toBe(200);
    const answer = await userinfo(instance, tokens.access_token);
    expect(answer).toMatchObject(refusal('invalid_token', 401));
    expect(answer.headers.get('www-authenticate')).toContain('invalid_token');
    for (const value of [tokens.access_token, tokens.refresh_token])
      expect(await introspect(instance, value)).toEqual({ active: false });
  });

  test.each([
    ['a token', async () => (await login(instance, client)).refresh_token],
    ['an unknown token', async () => 'carnet_rt_never-issued'],
  ])('the empty answer to the revocation of %s has no content type', async (_what, token) => {
    const { status, headers, body } = await post('/oauth2/revoke', { token: String(await token()) }, basic());
    expect([status, body, headers.get('content-type')]).toEqual([200, {}, null]);
  });

  test('another client cannot use it', async () => {
    const other = await registerClient(instance, 'other');
    const { access_token: accessToken } = await login(instance, client);
    const revoked = await post('/oauth2/revoke', { token: String(accessToken) }, basicOf(other));
    expect(revoked.status).toBe(400);
    expect((await userinfo(instance, accessToken)).status).toBe(200);
  });

  test('a JWT that hangs on nothing stored is said to be beyond revocation', async () => {
    const { body } = await credentialsFor(instance, client, { scope: 'profile' });
    const answer = await post('/oauth2/revoke', { token: String(body.access_token) }, basic());
    expect(answer).toMatchObject(refusal('unsupported_token_type'));
  });

  test('a wrong method is told which ones there are', async () => {
    const answer = await call(`${instance.issuer}/oauth2/token`);
    expect(answer).toMatchObject(refusal('Method Not Allowed', 405));
    expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
  });

  test.each([
    ['subject_type', 'pairwise'],
    ['id_token_encrypted_response_alg', 'RSA-OAEP'],
  ])('a client that asks for %s, which is not offered, is refused rather than ignored', async (name, value) => {
    const metadata = { redirect_uris: ['https://app.test/cb'], [name]: value };
    expect(await adminClients(instance, 'POST', '', metadata)).toMatchObject(refusal('invalid_client_metadata'));
  });
});
