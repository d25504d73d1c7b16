import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { registerClient } from '../clients.ts';
import { start } from '../harness.ts';
import { introspect, login } from '../login.ts';

const accessToken = { tier: 'gold', role: 'user', sub: 'mallory', client_id: 'other', act: { sub: 'x' } };
const consent = { session: { access_token: accessToken } };

/** The claims of a JWT access token under these options, and what introspection says of it. */
const claimsWith = async (tokens: object) => {
  const instance = await start({ config: { tokens: { accessTokenStrategy: 'jwt', ...tokens } } });
  const { access_token } = await login(instance, await registerClient(instance, 'app'), { consent });
  const answer = { claims: decodeJwt(String(access_token)), introspection: await introspect(instance, access_token) };
  await instance.stop();
  return answer;
};

describe('the claims of JWT access tokens', () => {
  test('are those of RFC 9068 and those of Hydra, by default', async () => {
    const { claims } = await claimsWith({});
    expect(claims).toMatchObject({
      scope: 'openid offline_access profile',
      scp: ['openid', 'offline_access', 'profile'],
      nbf: claims.iat,
      ext: accessToken,
    });
    expect(claims).not.toHaveProperty('tier');
  });

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

test('ttl.refreshToken: -1 is ten years, anew at each rotation', async () => {
  const instance = await start({ config: { ttl: { refreshToken: -1 } } });
  const { refresh_token } = await login(instance, await registerClient(instance, 'app'));
  const { exp, iat } = await introspect(instance, refresh_token);
  expect(Number(exp) - Number(iat)).toBe(315_360_000);
  await instance.stop();
});
