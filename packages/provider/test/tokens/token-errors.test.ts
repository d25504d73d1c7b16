import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { call, postForm, refusal } from '../call.ts';
import { codeFor, login, redeem, redemptionOf, refresh } from '../login.ts';

/** RFC 6749, section 5.2: errors are JSON, whatever else a client takes. */
describe('a request that fails, of a client that takes HTML', () => {
  const instance = startBeforeTests();
  const client = registerBeforeTests(instance, 'app', { token_endpoint_auth_method: 'none' });

  const ask = (params: Readonly<Record<string, string>>) =>
    postForm(
      `${instance.issuer}/oauth2/token`,
      { client_id: client.id, resource: 'https://unheard-of.test', ...params },
      { accept: 'text/html' },
    );

  test('leaves a code as good as it was, and is no success to the audit log', async () => {
    const code = await codeFor(instance, client);
    expect(await ask(redemptionOf(code))).toMatchObject(refusal('invalid_target'));
    expect(instance.log()).toContain('"outcome":"denied","reason":"invalid_target"');
    expect((await redeem(instance, client, code)).status).toBe(200);
  });

  test('uses no refresh token up', async () => {
    const { refresh_token } = await login(instance, client);
    const form = { grant_type: 'refresh_token', refresh_token: String(refresh_token) };
    expect(await ask(form)).toMatchObject(refusal('invalid_target'));
    const first = await refresh(instance, client, refresh_token);
    expect(first.status).toBe(200);
    expect((await refresh(instance, client, first.body.refresh_token)).status).toBe(200);
  });

  test('the attestation of a client is refused, because no client can be registered for it', async () => {
    for (const name of ['oauth-client-attestation', 'oauth-client-attestation-pop']) {
      const answer = await postForm(`${instance.issuer}/oauth2/token`, { client_id: client.id }, { [name]: 'x' });
      expect(answer).toMatchObject(refusal('invalid_client', 401));
    }
  });

  test('the error of userinfo is JSON as well', async () => {
    const headers = { accept: 'text/html', authorization: 'Bearer x' };
    expect(await call(`${instance.issuer}/userinfo`, { headers })).toMatchObject(refusal('invalid_token', 401));
  });
});
