import { describe, expect, it } from 'vitest';
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

  it('a provider that does not prove a new sign-in is not enough: the user must verify a factor of ours', async () => {
    const { signIn, clock } = await open('provider');
    await signIn(twoFactors);
    // The flow begins an hour after the sign-in at the provider.
    clock.now += 3_600_000;
    expect(await signIn(twoFactors, { prompt: 'login' })).toMatchObject({ state: 'enrol', required: true });
  });
});
