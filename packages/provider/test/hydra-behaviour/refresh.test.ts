import { beforeTests } from '@carnet/test-servers/before-tests';
import { decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { admin, createClient, webClient } from './clients.ts';
import { refresh, signIn } from './journey.ts';
import { startLikeHydra, strategies } from './start.ts';

describe.each(strategies)('refresh as Hydra has it, %s access tokens', (access_token_strategy) => {
  const instance = beforeTests(() =>
    startLikeHydra({ keys: { source: 'store', pollSeconds: 1 } }, () => Date.now() + passed),
  );
  let passed = 0;

  test.each([
    [['offline_access'], ['access_token', 'refresh_token']],
    [
      ['offline_access', 'openid'],
      ['access_token', 'id_token', 'refresh_token'],
    ],
  ])('refreshing the scopes %j gives %j', async (scope, expected) => {
    const client = await createClient(instance, webClient({ access_token_strategy }));
    const first = await signIn(instance, client, { consent: { scope } });
    const { status, body } = await refresh(instance, client, first.refresh_token);
    expect(status).toBe(200);
    expect(
      Object.keys(body)
        .filter((name) => name.endsWith('_token'))
        .toSorted(),
    ).toEqual(expected);
    for (const name of expected) expect(body[name]).not.toBe(first[name]);
  });

  test('a token that is used again is refused, and its successor with it', async () => {
    const client = await createClient(instance, {
      ...webClient({ access_token_strategy, scope: 'offline_access', token_endpoint_auth_method: 'none' }),
      client_secret: undefined,
    });
    const first = await signIn(instance, client, { consent: { scope: ['offline_access'] } });
    const renewed = await refresh(instance, client, first.refresh_token);
    expect([renewed.status, typeof renewed.body.refresh_token]).toEqual([200, 'string']);
    for (const token of [first.refresh_token, renewed.body.refresh_token]) {
      const { status, body } = await refresh(instance, client, token);
      expect([status, body.error]).toEqual([400, 'invalid_grant']);
    }
  });

  test('after a new key was made, tokens are signed with it', async () => {
    const client = await createClient(instance, webClient({ access_token_strategy }));
    const kidsOf = (tokens: Readonly<Record<string, unknown>>) =>
      [tokens.id_token, ...(access_token_strategy === 'jwt' ? [tokens.access_token] : [])].map(
        (token) => decodeProtectedHeader(String(token)).kid,
      );
    const first = await signIn(instance, client, { consent: { scope: ['offline_access', 'openid'] } });
    for (const set of ['hydra.jwt.access-token', 'hydra.openid.id-token'])
      expect((await admin(instance, 'POST', `/keys/${set}`, { alg: 'RS256', use: 'sig' })).status).toBe(201);
    const former = new Set(kidsOf(first));
    let token = first.refresh_token;
    // Hydra signs with the new key at once. Here clients and processes know a key before it signs.
    passed = 3_600_000;
    await expect
      .poll(async () => {
        const { body } = await refresh(instance, client, token);
        token = body.refresh_token;
        return kidsOf(body).filter((kid) => former.has(kid));
      })
      .toEqual([]);
  });
});
