import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { startBeforeTests, startInTest } from '../before-tests.ts';
import { userinfo } from '../call.ts';
import { registerClient } from '../clients.ts';
import type { Instance } from '../harness.ts';
import { login, refresh } from '../login.ts';

const infoOf = async (instance: Instance, token: unknown) => (await userinfo(instance, token)).body;

const signedIn = {
  subject: 'alice',
  login: { acr: 'gold', amr: ['pwd', 'otp'] },
  consent: { session: { id_token: { name: 'Alice', aud: 'mallory' } } },
};

describe('userinfo with oidc.userinfo "hydra"', () => {
  const instance = startBeforeTests({ config: { oidc: { userinfo: 'hydra' } } });

  test.each(['opaque', 'jwt'])('has what Hydra sends, for the %s token of a login and of a refresh', async (form) => {
    const client = await registerClient(instance, `app-${form}`, { access_token_strategy: form });
    const tokens = await login(instance, client, signedIn);
    const { auth_time, iss } = decodeJwt(String(tokens.id_token));
    const renewed = await refresh(instance, client, tokens.refresh_token);
    for (const { access_token: token } of [tokens, renewed.body]) {
      expect(await infoOf(instance, token)).toEqual({
        sub: 'alice',
        name: 'Alice',
        aud: [client.id],
        iss,
        iat: expect.any(Number),
        auth_time,
        acr: 'gold',
        amr: ['pwd', 'otp'],
      });
    }
  });

  test('omits acr and amr where the login app gave none', async () => {
    const client = await registerClient(instance, 'plain');
    const { access_token: token } = await login(instance, client);
    expect(Object.keys(await infoOf(instance, token)).toSorted()).toEqual(['aud', 'auth_time', 'iat', 'iss', 'sub']);
  });

  test('has them in a signed answer', async () => {
    const client = await registerClient(instance, 'signed', { userinfo_signed_response_alg: 'ES256' });
    const { access_token: token } = await login(instance, client, signedIn);
    expect(decodeJwt(String((await infoOf(instance, token)).text))).toMatchObject({
      sub: 'alice',
      iss: instance.issuer,
      aud: client.id,
      iat: expect.any(Number),
      auth_time: expect.any(Number),
      acr: 'gold',
      amr: ['pwd', 'otp'],
    });
  });
});

test('userinfo without the switch has sub and the claims of the consent app', async () => {
  const instance = await startInTest();
  const client = await registerClient(instance, 'app');
  const { access_token: token } = await login(instance, client, signedIn);
  expect(await infoOf(instance, token)).toEqual({ sub: 'alice', name: 'Alice' });
});
