import { beforeTests } from '@carnet/test-servers/before-tests';
import { beforeAll, describe, expect, it } from 'vitest';
import { registerClient, type TestClient } from '../clients.ts';
import { login } from '../login.ts';
import { differencesOf } from './difference.ts';
import { startPair } from './pair.ts';
import { formPost } from './raw-http.ts';

const basic = ({ id, secret = '' }: TestClient): readonly [string, string] => [
  'Authorization',
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
];

describe('the comparison of two instances', () => {
  const pair = beforeTests(() => startPair());
  const client = beforeTests(() => pair.arrange((instance) => registerClient(instance, 'shop')));
  let tokens: Readonly<Record<string, unknown>>;
  beforeAll(async () => {
    tokens = await pair.arrange((instance) => login(instance, client));
  });

  it('finds none where both do the same with what is stored in both', async () => {
    const refresh = formPost('/oauth2/token', `grant_type=refresh_token&refresh_token=${tokens.refresh_token}`, [
      basic(client),
    ]);
    const { fast, difference } = await pair.bothAnswer(refresh);
    expect(difference).toBeUndefined();
    expect(fast.status).toBe(200);
    const userinfo = { target: '/userinfo', headers: [['Authorization', `Bearer ${tokens.access_token}`]] } as const;
    expect((await pair.bothAnswer(userinfo)).difference).toBeUndefined();
    await pair.assertSameMetrics();
  });

  it('knows whether oidc-provider had a part in the answer', async () => {
    const answers = await pair.bothAnswer({ target: '/oauth2/auth?client_id=shop&request=a.b.c' });
    expect([answers.fast.status, answers.isFast]).toEqual([303, false]);
  });

  it('finds that a lifetime, a record or an audit record differs', async () => {
    const other = await pair.arrange((instance) => registerClient(instance, 'other'));
    const { adapter } = pair.sides.fast;
    // The same client with other lifetimes, on one side only.
    await registerClient({ ...pair.sides.fast, adapter }, 'other', {
      client_credentials_grant_access_token_lifespan: '10m',
    });
    const request = formPost('/oauth2/token', 'grant_type=client_credentials', [basic(other)]);
    const { difference } = await pair.bothAnswer(request);
    expect(difference).toContain('body');
    expect(difference).toContain('commits.0.0.record.expiresAt');
    const wrong = formPost('/oauth2/token', 'grant_type=client_credentials', [basic({ ...other, secret: 'wrong' })]);
    const answers = await pair.bothAnswer((side) => (side === 'fast' ? wrong : request));
    expect(answers.difference).toContain('log.');
    await expect(pair.assertSameMetrics()).rejects.toThrow('metrics');
  });
});

describe('differences', () => {
  it.each([
    [{ a: 1 }, { a: 1 }, []],
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, ['a.1.b']],
    [{ a: 1 }, {}, ['a']],
    [{}, { a: undefined }, []],
    [{ a: [] }, { a: [1] }, ['a.0']],
  ])('of %j and %j', (fast, library, at) => {
    expect(differencesOf(fast, library).map((text) => text.split('\n')[0])).toEqual(at);
  });
});
