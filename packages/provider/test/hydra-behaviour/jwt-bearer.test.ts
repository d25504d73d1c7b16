import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { exportJWK, type JWTPayload, SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../login.ts';
import { admin, type Client, createClient, post } from './clients.ts';
import { startLikeHydra, strategies } from './start.ts';

const bearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const trusted = generateKeyPairSync('rsa', { modulusLength: 2048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
const inAYear = () => new Date(Date.now() + 31_536_000_000).toISOString();

describe.each(strategies)('JWT bearer grants as Hydra has them, %s access tokens', (access_token_strategy) => {
  const instance = beforeTests(() => startLikeHydra());
  let client: Client;
  beforeAll(async () => {
    client = await createClient(instance, {
      client_secret: 'a-secret-of-the-client',
      scope: 'foo openid offline_access',
      grant_types: [bearer],
      token_endpoint_auth_method: 'client_secret_post',
      response_types: ['token'],
      access_token_strategy,
    });
  });

  /** Trusts an issuer of its own about a subject, or any. */
  const trust = async (subject = ''): Promise<{ iss: string; sub: string }> => {
    const issuer = randomUUID();
    const { status } = await admin(instance, 'POST', '/trust/grants/jwt-bearer/issuers', {
      issuer,
      subject,
      allow_any_subject: subject === '',
      scope: ['foo', 'openid', 'offline_access'],
      jwk: { ...(await exportJWK(trusted.publicKey)), kid: 'token-service-key' },
      expires_at: inAYear(),
    });
    expect(status).toBe(201);
    return { iss: issuer, sub: subject };
  };

  /** Signed without a `kid` in the header, as Hydra's tests do. */
  const sign = (claims: Json, key: KeyObject = trusted.privateKey): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    const about = { jti: randomUUID(), aud: `${instance.issuer}/oauth2/token`, exp: now + 120, iat: now - 120 };
    const payload = Object.entries({ ...about, ...claims }).filter(([, value]) => value !== undefined);
    return new SignJWT(Object.fromEntries(payload) as JWTPayload).setProtectedHeader({ alg: 'RS256' }).sign(key);
  };

  const exchange = (assertion: string, by: Client = client) =>
    post(`${instance.issuer}/oauth2/token`, by, { grant_type: bearer, assertion, scope: client.scope });

  const expectTokens = ({ status, body }: Awaited<ReturnType<typeof exchange>>): void => {
    expect([status, body]).toEqual([
      200,
      { access_token: expect.any(String), expires_in: expect.any(Number), scope: client.scope, token_type: 'Bearer' },
    ]);
  };

  test('an assertion about the trusted subject is exchanged', async () => {
    expectTokens(await exchange(await sign(await trust('a-subject'))));
  });

  test('an assertion about any subject is exchanged where the issuer is trusted for all', async () => {
    expectTokens(await exchange(await sign({ ...(await trust()), sub: 'any-subject-is-valid' })));
  });

  test('an assertion whose nbf has passed is exchanged', async () => {
    const nbf = Math.floor(Date.now() / 1000) - 60;
    expectTokens(await exchange(await sign({ ...(await trust('a-subject')), nbf })));
  });

  test.each<[string, () => Json]>([
    ['without jti', () => ({ jti: undefined })],
    ['without iat', () => ({ iat: undefined })],
    ['about another subject', () => ({ sub: 'invalid_subject' })],
    ['of another issuer', () => ({ iss: 'invalid_issuer' })],
    ['for another audience', () => ({ aud: 'invalid_audience' })],
    ['that has expired', () => ({ exp: Math.floor(Date.now() / 1000) - 60 })],
    ['that is not valid yet', () => ({ nbf: Math.floor(Date.now() / 1000) + 60 })],
  ])('an assertion %s is refused: 400', async (_what, wrong) => {
    expect((await exchange(await sign({ ...(await trust('a-subject')), ...wrong() }))).status).toBe(400);
  });

  test('an assertion with the signature of another key is refused: 400', async () => {
    expect((await exchange(await sign(await trust('a-subject'), other.privateKey))).status).toBe(400);
  });

  test('a jti is good for one assertion: the second is refused with 400', async () => {
    const claims = { ...(await trust('a-subject')), jti: randomUUID() };
    expectTokens(await exchange(await sign(claims)));
    expect((await exchange(await sign(claims))).status).toBe(400);
  });

  test('an assertion without client credentials is refused: 400', async () => {
    const body = new URLSearchParams({ grant_type: bearer, assertion: await sign(await trust('a-subject')) });
    expect((await fetch(`${instance.issuer}/oauth2/token`, { method: 'POST', body })).status).toBe(400);
  });
});
