import { describe, expect, it } from 'vitest';
import {
  engines,
  openWithUser,
  password,
  progressOf,
  setUserState,
  testOptions,
  useDatabases,
} from './open-test-accounts.ts';
import { createAuthenticator } from './second-factors/software-authenticator.ts';

const databases = useDatabases();
const login = 'ada@example.com';
const binding = 'login-challenge-1';
const createPasskey = () => createAuthenticator({ origin: 'https://login.example.com', rpId: 'example.com' });

type Passkey = ReturnType<typeof createPasskey>;

/** A user who must have a passkey, and enrols it during the sign-in. */
const enrolled = async (database: string) => {
  const secondFactors = { ...testOptions().secondFactors, policy: 'phishing_resistant' } as const;
  const test = await openWithUser(database, { secondFactors });
  const { accounts } = test;
  const began = await accounts.signIn.password({ login, password, binding });
  expect(began).toMatchObject({ kinds: ['passkey'], required: true });
  const owner = { progress: progressOf(began, 'enrol'), binding };
  const passkey = createPasskey();
  const { options, challenge } = await accounts.factors.passkeyOptions({ owner });
  const result = await accounts.factors.passkey({ owner, challenge, response: passkey.register(options) });
  if (!result.ok || result.progress === undefined) throw new Error('the passkey was not enrolled');
  return { ...test, passkey, progress: result.progress };
};

const signInWith = async ({ accounts }: Awaited<ReturnType<typeof enrolled>>, passkey: Passkey, progress?: string) => {
  const { options, challenge } = await accounts.signIn.passkeyOptions({ binding, progress });
  return accounts.signIn.passkey({ binding, challenge, response: passkey.signIn(options), progress });
};

describe.each(engines)('passkeys in %s', (engine) => {
  it('are enrolled after the password, which completes the sign-in, and then replace the password', async () => {
    const test = await enrolled(await databases.createUrl(engine));
    const { accounts, subject, passkey, progress } = test;
    const resumed = await accounts.signIn.resume({ progress, binding });
    expect(resumed).toMatchObject({ state: 'done', subject, acr: 'phr' });
    expect(await signInWith(test, passkey)).toMatchObject({
      state: 'done',
      subject,
      acr: 'phr',
      claims: { email: login },
    });
    const began = progressOf(await accounts.signIn.password({ login, password, binding }), 'factor');
    expect(await signInWith(test, passkey, began)).toMatchObject({ state: 'done', acr: 'phr' });
  });

  it('are refused for a disabled user, an unknown passkey, and with another challenge', async () => {
    const test = await enrolled(await databases.createUrl(engine));
    const { accounts, database, subject, passkey } = test;
    const { options, challenge } = await accounts.signIn.passkeyOptions({ binding });
    const response = passkey.signIn(options);
    const attempt = { challenge, response };
    expect(await accounts.signIn.passkey({ ...attempt, binding: 'another' })).toEqual({ state: 'expired' });
    const unknown = createPasskey();
    unknown.register({ ...options, user: { id: 'AAAA' } });
    expect(await signInWith(test, unknown)).toEqual({ state: 'refused' });

    await setUserState(database, subject, 'disabled');
    expect(await signInWith(test, passkey)).toEqual({ state: 'refused' });
    expect(test.events.at(-1)).toMatchObject({ method: 'passkey', result: 'refused', reason: 'disabled' });
  });
});
