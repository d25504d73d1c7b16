import { beforeTests } from '@carnet/test-servers/before-tests';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { registerBeforeTests } from '../before-tests.ts';
import { publishedKeys } from '../call.ts';
import { start } from '../harness.ts';
import { login } from '../login.ts';

const day = 86_400_000;

describe('OpenID Connect Core 1.0', () => {
  let ahead = 0;
  const instance = beforeTests(() =>
    start({
      now: () => Date.now() + ahead,
      config: { keys: { source: 'store', algorithms: ['ES256'], idTokenAlg: 'ES256', pollSeconds: 1 } },
    }),
  );
  const client = registerBeforeTests(instance, 'app');
  let before: string;

  const published = async () => (await publishedKeys(instance)) as unknown as JSONWebKeySet;
  const kids = async (): Promise<readonly unknown[]> => (await published()).keys.map(({ kid }) => kid);
  /** Until the provider has looked at its clock again. */
  const later = async (days: number): Promise<void> => {
    const then = await kids();
    ahead += days * day;
    await expect.poll(kids, { interval: 100 }).not.toEqual(then);
  };
  const idToken = async (): Promise<string> => String((await login(instance, client)).id_token);
  const kidOf = (token: string): string => String(decodeProtectedHeader(token).kid);

  beforeAll(async () => {
    before = await idToken();
  });

  test('10.1.1 the next key is published before it signs', async () => {
    await later(80);
    expect(await kids()).toHaveLength(2);
    expect(await kids()).toContain(kidOf(before));
    expect(kidOf(await idToken())).toBe(kidOf(before));
  });

  test('10.1.1 then it signs, by a kid that the key set has, and the one before still verifies', async () => {
    const announced = await kids();
    await later(20);
    const after = await idToken();
    expect(kidOf(after)).not.toBe(kidOf(before));
    expect(announced).toContain(kidOf(after));
    const keys = createLocalJWKSet(await published());
    for (const token of [before, after]) {
      const { payload } = await jwtVerify(token, keys, { issuer: instance.issuer, currentDate: new Date(0) });
      expect(payload.sub).toBe('alice');
    }
  });

  test('10.1.1 in the end it is published no more', async () => {
    await later(20);
    expect(await kids()).not.toContain(kidOf(before));
  });
});
