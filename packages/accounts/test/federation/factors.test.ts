import { describe, expect, it } from 'vitest';
import { authTimeOf } from '../../src/federation/assurance.ts';
import type { SignIn } from '../../src/index.ts';
import { enrolTotp, progressOf, useDatabases } from '../open-test-accounts.ts';
import { totpCode } from '../totp-code.ts';
import { binding, openFederation } from './open-federation.ts';

const databases = useDatabases();

const open = async (factors: 'own' | 'provider', policy: 'optional' | 'required' = 'optional') => {
  const database = await databases.createUrl('sqlite');
  const provider = { signUp: 'automatic', factors } as const;
  const secondFactors = { policy, realms: {}, clients: {}, kinds: ['totp' as const] };
  const test = await openFederation({ database, provider, options: { secondFactors } });
  test.upstream.users.set('ada', { name: 'Ada' });
  return test;
};

const twoFactors = { user: 'ada', acr: 'urn:carnet:2fa', amr: ['pwd', 'otp', 'mfa', 'x-unknown'] };

describe('the second factor of a sign-in at a provider', () => {
  it('the factor is our own, as after a password, whatever the provider has verified', async () => {
    const test = await open('own');
    const { accounts, signIn, clock } = test;
    const first = await signIn(twoFactors);
    expect(first).toMatchObject({ state: 'done', acr: 'urn:carnet:1fa', amr: ['fed'] });
    const secret = await enrolTotp(test, first.state === 'done' ? first.subject : '');
    const asked = await signIn(twoFactors);
    expect(asked).toMatchObject({ state: 'factor', kinds: ['totp'] });
    if (asked.state !== 'factor') return;
    const progress = progressOf(asked, 'factor');
    const code = totpCode(secret, clock.now);
    expect(await accounts.signIn.factor({ progress, kind: 'totp', code, binding })).toMatchObject({
      state: 'done',
      acr: 'urn:carnet:2fa',
      amr: ['fed', 'otp', 'mfa'],
    });
  });

  it('the factor is that of the provider if the configuration accepts it, with the registered methods', async () => {
    const { signIn } = await open('provider', 'required');
    expect(await signIn(twoFactors)).toMatchObject({
      state: 'done',
      acr: 'urn:carnet:2fa',
      amr: ['fed', 'pwd', 'otp', 'mfa'],
    });
  });

  it('the factor is our own if that of the provider is too weak', async () => {
    const { signIn } = await open('provider', 'required');
    expect(await signIn({ user: 'ada', amr: ['pwd'] })).toMatchObject({ state: 'enrol', required: true });
    expect(await signIn(twoFactors, { acrValues: ['urn:carnet:2fa'] })).toMatchObject({ state: 'done' });
  });

  it.each(['own', 'provider'] as const)(
    'with factors: %s, the sign-in at the provider alone changes no factor of a user who has one',
    async (factors) => {
      const test = await open(factors);
      const { accounts, signIn } = test;
      const alone = { user: 'ada', amr: ['pwd'] };
      const first = await signIn(alone);
      const subject = first.state === 'done' ? first.subject : '';
      await enrolTotp(test, subject);
      const asked = await signIn(alone);
      expect(asked).toMatchObject({ state: 'factor' });
      const owner = { progress: (asked as { progress: string }).progress, binding };
      const [factor] = (await accounts.factors.list({ owner: { subject } })).factors;
      const refused = { code: 'expired_progress' };
      for (const change of [
        accounts.factors.begin({ owner, kind: 'totp', issuer: 'Example' }),
        accounts.factors.recoveryCodes({ owner }),
        accounts.factors.remove({ owner, id: factor?.id ?? '' }),
      ])
        await expect(change).rejects.toMatchObject(refused);
      expect((await accounts.factors.list({ owner: { subject } })).factors).toEqual([factor]);
      expect(await signIn(alone)).toMatchObject({ state: 'factor' });
    },
  );

  it('a new sign-in at the provider is enough for prompt=login and max_age', async () => {
    const { signIn } = await open('own');
    expect(await signIn({ user: 'ada' }, { prompt: 'login' })).toMatchObject({ state: 'done' });
    expect(await signIn({ user: 'ada' }, { maxAge: 3_600 })).toMatchObject({ state: 'done' });
  });

  describe('a provider that does not prove a new sign-in', () => {
    /** The flow begins an hour after the sign-in at the provider. */
    const openOld = async (policy?: 'required') => {
      const test = await open('own', policy);
      const first = await test.signIn({ user: 'ada' });
      test.clock.now += 3_600_000;
      return { ...test, subject: 'user' in first ? first.user.subject : '' };
    };

    it('the sign-in there is not enough: the user verifies a factor of ours, which is then the time of the sign-in', async () => {
      const test = await openOld();
      const { accounts, signIn, clock, subject } = test;
      const secret = await enrolTotp(test, subject);
      const progress = progressOf((await signIn({ user: 'ada' }, { prompt: 'login' })) as SignIn, 'factor');
      const done = accounts.signIn.factor({ progress, kind: 'totp', code: totpCode(secret, clock.now), binding });
      expect(await done).toMatchObject({ state: 'done', authTime: Math.floor(clock.now / 1_000) });
    });

    it.each([
      ['without a policy', undefined],
      ['with a policy that requires one', 'required'],
    ] as const)('a factor that is enrolled in the same sign-in is no proof, %s', async (_title, policy) => {
      const { accounts, signIn, subject, lines, events } = await openOld(policy);
      expect(await signIn({ user: 'ada' }, { prompt: 'login' })).toEqual({ state: 'provider_failed' });
      expect(lines.at(-1)).toContain('not_fresh');
      expect(events.at(-1)).toMatchObject({ result: 'provider_failed', reason: 'not_fresh' });
      expect(await accounts.factors.list({ owner: { subject } })).toEqual({ factors: [] });
    });

    it('a sign-in there creates no user', async () => {
      const { signIn, upstream, clock, writes } = await open('own');
      upstream.users.set('bob', { name: 'Bob' });
      clock.now += 3_600_000;
      expect(await signIn({ user: 'bob' }, { prompt: 'login' })).toEqual({ state: 'provider_failed' });
      expect(writes).toEqual([]);
    });
  });
});

describe('the time of a sign-in at a provider', () => {
  it('the time is when the user authenticated there, not when the answer arrived', async () => {
    const { signIn, clock } = await open('own');
    const at = Math.floor(Date.now() / 1_000);
    clock.now += 3_600_000;
    const done = await signIn({ user: 'ada' });
    expect(done).toMatchObject({ state: 'done' });
    const { authTime } = done as { authTime: number };
    expect(authTime - at).toBeGreaterThanOrEqual(0);
    expect(authTime - at).toBeLessThan(60);
  });

  it('the time is not in the future, if the clock of the provider is ahead', async () => {
    const { signIn, clock } = await open('own');
    clock.now -= 3_600_000;
    expect(await signIn({ user: 'ada' })).toMatchObject({ authTime: Math.floor(clock.now / 1_000) });
  });
});

describe('the time of a sign-in at a provider that tells none', () => {
  const begun = { begunAt: 1_000_000_000, maxAge: undefined, isLoginForced: false };
  it.each([
    ['the time is unknown', true, {}, 0],
    ['the time is unknown if a new sign-in was requested and not proved', false, { isLoginForced: true }, 0],
    ['the time is that of the request for a new sign-in, if it is proved', true, { isLoginForced: true }, 1_000_000],
    ['the time is the earliest one that max_age allows, if it is proved', true, { maxAge: 300 }, 999_700],
  ])('%s', (_title, isFresh, flow, expected) => {
    expect(authTimeOf({ isFresh }, { ...begun, ...flow }, 1_000_060_000)).toBe(expected);
  });
});
