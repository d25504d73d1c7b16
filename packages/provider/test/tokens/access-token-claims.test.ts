import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { startInTest } from '../before-tests.ts';
import { registerClient } from '../clients.ts';
import { credentialsFor, introspect, login, refresh } from '../login.ts';

const accessToken = { tier: 'gold', role: 'user', sub: 'mallory', client_id: 'other', act: { sub: 'x' } };
const consent = { session: { access_token: accessToken } };

/** The claims of a JWT access token under these options, and what introspection says of it. */
const claimsWith = async (tokens: object) => {
  const instance = await startInTest({ config: { tokens: { accessTokenStrategy: 'jwt', ...tokens } } });
  const { access_token } = await login(instance, await registerClient(instance, 'app'), { consent });
  return { claims: decodeJwt(String(access_token)), introspection: await introspect(instance, access_token) };
};

describe('the claims of JWT access tokens', () => {
  test('stand at the top where that is allowed, but for those that say whose token it is', async () => {
    const { claims, introspection } = await claimsWith({
      allowedTopLevelClaims: ['tier', 'sub', 'client_id', 'act', 'absent', 'constructor'],
      mirrorTopLevelClaims: false,
    });
    expect(claims).toMatchObject({ tier: 'gold', sub: 'alice', client_id: 'app' });
    for (const absent of ['role', 'ext', 'act', 'absent']) expect(claims).not.toHaveProperty(absent);
    expect(introspection.ext).toEqual(accessToken);
  });

  test.each([
    ['list', undefined, ['openid', 'offline_access', 'profile']],
    ['string', 'openid offline_access profile', undefined],
  ])('name scopes as a %s alone, which introspection understands', async (scopeClaim, scope, scp) => {
    const { claims, introspection } = await claimsWith({ scopeClaim, excludeNotBeforeClaim: true });
    expect([claims.scope, claims.scp, claims.nbf]).toEqual([scope, scp, undefined]);
    expect(introspection).toMatchObject({ active: true, scope: 'openid offline_access profile', nbf: claims.iat });
  });
});

describe('the authentication of the user', () => {
  const authentication = { acr: 'urn:carnet:2fa', amr: ['pwd', 'otp', 'mfa'] };

  test.each(['jwt', 'opaque'] as const)(
    'the authentication is in %s access tokens, also after a refresh, and the consent app cannot set it',
    async (form) => {
      const instance = await startInTest({
        config: {
          oidc: { supportedAcrValues: ['urn:carnet:1fa', 'urn:carnet:2fa'] },
          tokens: { accessTokenStrategy: form, allowedTopLevelClaims: ['acr', 'amr', 'auth_time'] },
        },
      });
      const client = await registerClient(instance, 'app');
      const forged = { session: { access_token: { acr: 'phr', amr: ['hwk'], auth_time: 1 } } };
      const tokens = await login(instance, client, { login: authentication, consent: forged });
      const refreshed = (await refresh(instance, client, String(tokens.refresh_token))).body;
      const auth_time = decodeJwt(String(tokens.id_token)).auth_time;
      for (const { access_token } of [tokens, refreshed]) {
        expect(await introspect(instance, access_token)).toMatchObject({ active: true, auth_time, ...authentication });
        if (form === 'jwt') expect(decodeJwt(String(access_token))).toMatchObject({ auth_time, ...authentication });
      }
      expect(await introspect(instance, refreshed.refresh_token)).toMatchObject({ auth_time, ...authentication });
    },
  );

  test("introspection omits the authentication unless the operator names the classes: Hydra's Go SDK rejects unknown members", async () => {
    const instance = await startInTest({});
    const { access_token } = await login(instance, await registerClient(instance, 'app'), { login: authentication });
    const shown = await introspect(instance, access_token);
    expect(shown.active).toBe(true);
    for (const name of ['acr', 'amr', 'auth_time']) expect(shown).not.toHaveProperty(name);
  });

  test('a token that a client has for itself never contains the authentication of a user', async () => {
    const instance = await startInTest({ config: { tokens: { accessTokenStrategy: 'jwt' } } });
    const client = await registerClient(instance, 'machine');
    const { access_token } = (await credentialsFor(instance, client)).body;
    const shown = [decodeJwt(String(access_token)), await introspect(instance, access_token)];
    for (const each of shown) for (const name of ['acr', 'amr', 'auth_time']) expect(each).not.toHaveProperty(name);
  });
});

test('ttl.refreshToken: -1 is ten years, anew at each rotation', async () => {
  const instance = await startInTest({ config: { ttl: { refreshToken: -1 } } });
  const { refresh_token } = await login(instance, await registerClient(instance, 'app'));
  const { exp, iat } = await introspect(instance, refresh_token);
  expect(Number(exp) - Number(iat)).toBe(315_360_000);
});
