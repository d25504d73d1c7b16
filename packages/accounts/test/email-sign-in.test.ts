import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from '@carnet/test-servers/listen';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPendingCodec } from '../src/email-sign-in/pending-code.ts';
import type { AccountsOptions, SignIn } from '../src/index.ts';
import { mailAt, openWithMail } from './mailbox.ts';
import {
  address,
  createUser,
  directoryOf,
  engines,
  enrolTotp,
  fileDirectory,
  password,
  progressOf,
  setUserState,
  testOptions,
  useDatabases,
} from './open-test-accounts.ts';
import { createTestVault } from './test-vault.ts';
import { totpCode } from './totp-code.ts';

const databases = useDatabases();
const login = 'ada@example.com';
const circumstances = { binding: 'login-challenge-1', clientId: 'shop', address };
const { secondFactors } = testOptions();
const withEmailSignIn = { emailSignIn: { enabled: true } };

const open = async (url: string, options: Partial<AccountsOptions> = {}, emailVerified = true) => {
  const subject = await createUser(url, { emailVerified, username: 'ada' });
  const test = await openWithMail(url, { ...withEmailSignIn, ...options });
  const { signIn } = test.accounts;
  let requests = 0;
  /** Each request is from another address, unless the input has one. */
  const request = (input: Partial<Parameters<typeof signIn.requestEmailCode>[0]> = {}) => {
    requests += 1;
    return signIn.requestEmailCode({ login, ...circumstances, address: `198.51.100.${requests}`, ...input });
  };
  /** The progress of a request that was answered. */
  const requested = async (input?: Parameters<typeof request>[0]): Promise<string> => {
    const answer = await request(input);
    if (answer.state !== 'email_code') throw new Error(`the request was ${answer.state}`);
    return answer.progress;
  };
  const enter = (progress: string, code: string, input: Partial<typeof circumstances> = {}) =>
    signIn.emailCode({ progress, code, ...circumstances, ...input });
  const codeAt = async (index: number): Promise<string> =>
    /^\d{6}$/m.exec((await mailAt(test.mailbox, index)).text)?.[0] ?? '';
  /** Signs in by the email with this number. */
  const signInBy = async (index: number, input?: Parameters<typeof request>[0]): Promise<SignIn> => {
    const progress = await requested(input);
    return enter(progress, await codeAt(index));
  };
  return { ...test, subject, request, requested, enter, codeAt, signInBy };
};

/** The code of a request, as an attacker with all luck would guess it. */
const guessedCode = (progress: string): string => {
  const sent = createPendingCodec(createTestVault()).open(progress, circumstances.binding)?.sent;
  for (let number = 0; number < 1_000_000; number += 1) {
    const code = String(number).padStart(6, '0');
    const text = JSON.stringify(['email-code', sent?.id, code]);
    if (hash('sha256', text, 'base64url') === sent?.hash) return code;
  }
  throw new Error('the request has no code');
};

const otherThan = (code: string): string => (code === '000000' ? '000001' : '000000');

describe.each(engines)('a code by email in place of the password, with users in %s', (engine) => {
  it('signs the user in, once, after a wrong guess', async () => {
    const ada = await open(await databases.createUrl(engine));
    const progress = await ada.requested({ login: 'ADA' });
    const code = await ada.codeAt(0);
    expect((await mailAt(ada.mailbox, 0)).recipients).toEqual([login]);
    expect(await ada.enter(progress, otherThan(code))).toEqual({ state: 'refused' });
    const answers = await Promise.all([1, 2, 3].map(() => ada.enter(progress, code)));
    expect(answers.filter(({ state }) => state === 'done')).toEqual([
      expect.objectContaining({
        subject: ada.subject,
        acr: 'urn:carnet:1fa',
        amr: ['otp'],
        device: expect.any(String),
      }),
    ]);
    expect(await ada.enter(progress, code)).toEqual({ state: 'refused' });
    expect(JSON.stringify([ada.events, ada.lines])).not.toMatch(new RegExp(`(?<!\\d)${code}(?!\\d)`));
  });
});

describe('the answer to a request for a code', () => {
  it('unknown, disabled and unverified users get the same answer, no email, and no code that could be guessed', async () => {
    const url = await databases.createUrl('sqlite');
    const ada = await open(url);
    await createUser(url, { email: 'bob@example.com', emailVerified: false });
    const disabled = await createUser(url, { email: 'eve@example.com', emailVerified: true });
    await setUserState(url, disabled, 'disabled');
    const logins = [login, 'bob@example.com', 'eve@example.com', 'who@example.com'];
    const answers = await Promise.all(logins.map((each) => ada.request({ login: each })));
    const lengths = answers.map(
      (answer, index) => JSON.stringify(answer).length - Math.ceil(((logins[index]?.length ?? 0) * 16) / 9),
    );
    expect(answers.map(({ state }) => state)).toEqual(logins.map(() => 'email_code'));
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(6);
    await ada.codeAt(0);
    expect(ada.mailbox.received).toHaveLength(1);
    for (const answer of answers.slice(1))
      expect(await ada.enter('progress' in answer ? answer.progress : '', '000000')).toEqual({ state: 'refused' });
  });

  it('the answer takes at least 500 ms, as the one to a code does', async () => {
    const ada = await open(await databases.createUrl('sqlite'));
    for (const each of [login, 'who@example.com']) {
      const began = performance.now();
      const progress = await ada.requested({ login: each });
      const answered = performance.now();
      await ada.enter(progress, 'wrong');
      // A timer may end a millisecond early.
      expect(answered - began).toBeGreaterThan(498);
      expect(performance.now() - answered).toBeGreaterThan(498);
    }
  });

  it('the request fails if the feature is off', async () => {
    const ada = await open(await databases.createUrl('sqlite'), { emailSignIn: { enabled: false } });
    await expect(ada.request()).rejects.toThrow(expect.objectContaining({ code: 'not_supported' }));
    await expect(ada.enter('p', '1')).rejects.toThrow(expect.objectContaining({ code: 'not_supported' }));
    expect(await ada.accounts.settings()).toMatchObject({ emailSignIn: false });
  });
});

describe('a code by email in place of the password', () => {
  const openAda = async (options?: Partial<AccountsOptions>) => open(await databases.createUrl('sqlite'), options);

  it('users of any directory that states a verified address sign in by it', async () => {
    const claims = { email: 'lin@example.com', email_verified: true };
    const file = await fileDirectory('staff', 'staff.', { logins: ['lin'], claims });
    const ada = await openAda({ directories: [...testOptions().directories, file] });
    expect(await ada.signInBy(0, { login: 'lin' })).toMatchObject({ state: 'done', subject: 'staff.u1' });
  });

  it('a user whom a cached directory does not know any more gets no code', async () => {
    const user = { subject: 'u1', claims: { email: 'lin@example.com', email_verified: true } };
    let isKnown = true;
    const { origin, close } = await listen((_request, response) => {
      response.writeHead(isKnown ? 200 : 404).end(JSON.stringify(user));
    });
    onTestFinished(() => close());
    const web = directoryOf({ kind: 'http', name: 'web', url: `${origin}/users` });
    const ada = await openAda({ directories: [...testOptions().directories, web] });
    expect(await ada.signInBy(0, { login: 'lin' })).toMatchObject({ state: 'done', subject: 'web.u1' });
    isKnown = false;
    const progress = await ada.requested({ login: 'lin' });
    expect(await ada.enter(progress, guessedCode(progress))).toEqual({ state: 'refused' });
    expect(ada.mailbox.received).toHaveLength(1);
  });

  it('the code belongs to its progress and to the login request', async () => {
    const ada = await openAda();
    const [first, second] = [await ada.requested(), await ada.requested()];
    const [code, other] = [await ada.codeAt(0), await ada.codeAt(1)];
    if (code !== other) expect(await ada.enter(second, code)).toEqual({ state: 'refused' });
    expect(await ada.enter(first, code, { binding: 'other' })).toEqual({ state: 'expired' });
    expect(await ada.enter(first, code)).toMatchObject({ state: 'done' });
  });

  it('the code is valid for ten minutes, which the email states, in the language of the user', async () => {
    const ada = await openAda();
    await ada.accounts.account.update({ subject: ada.subject, claims: { locale: 'fr' } });
    const progress = await ada.requested({ language: 'de' });
    expect((await mailAt(ada.mailbox, 0)).text).toContain('10 minutes');
    expect((await mailAt(ada.mailbox, 0)).text).toContain('Saisissez ce code');
    ada.clock.now += 600_000;
    expect(await ada.enter(progress, await ada.codeAt(0))).toEqual({ state: 'expired' });
  });

  it.each([
    ['the address', { email: 'lovelace@example.com', emailVerified: true }],
    ['the state', { state: 'disabled' as const }],
  ])('the code is void after a change of %s', async (_what, change) => {
    const ada = await openAda();
    const progress = await ada.requested({ login: 'ada' });
    await ada.accounts.users.update({ subject: ada.subject, ...change });
    expect(await ada.enter(progress, await ada.codeAt(0))).toEqual({ state: 'refused' });
  });

  it('the code is void after a change of the password', async () => {
    const ada = await openAda();
    const progress = await ada.requested();
    const next = 'another horse battery';
    await ada.accounts.account.changePassword({ subject: ada.subject, current: password, next });
    expect(await ada.enter(progress, await ada.codeAt(0))).toEqual({ state: 'refused' });
  });

  it('the next step is void after a change of the password, also while the code is checked', async () => {
    const ada = await openAda({ secondFactors: { ...secondFactors, policy: 'required' } });
    const entering = ada.enter(await ada.requested(), await ada.codeAt(0));
    await pause(60);
    const next = 'another horse battery';
    await ada.accounts.account.changePassword({ subject: ada.subject, current: password, next });
    const progress = progressOf(await entering, 'enrol');
    expect(await ada.accounts.signIn.resume({ progress, ...circumstances })).toEqual({ state: 'expired' });
  });

  it('a code has five guesses, also in parallel, and another code has five more', async () => {
    const ada = await openAda();
    const progress = await ada.requested();
    const code = await ada.codeAt(0);
    const guesses = await Promise.all(Array.from({ length: 8 }, () => ada.enter(progress, otherThan(code))));
    expect(guesses.filter(({ state }) => state === 'refused')).toHaveLength(5);
    expect(await ada.enter(progress, code)).toMatchObject({ state: 'limited' });
    expect(await ada.signInBy(1)).toMatchObject({ state: 'done' });
  });

  it('five codes an hour are sent for a login name, and an unknown one has the same limit', async () => {
    const ada = await openAda();
    for (const each of [login, 'who@example.com']) {
      for (let sent = 0; sent < 5; sent += 1) await ada.requested({ login: each });
      expect(await ada.request({ login: each })).toMatchObject({ state: 'limited' });
    }
    ada.clock.now += 3_600_000;
    expect(await ada.request()).toMatchObject({ state: 'email_code' });
  });

  it('one address gets three codes an hour and eight a day for all names of a user, and others still get theirs', async () => {
    const ada = await openAda();
    const from = { address: '203.0.113.9' };
    for (let sent = 0; sent < 3; sent += 1) await ada.requested(from);
    expect(await ada.request(from)).toMatchObject({ state: 'limited', retryAfterSeconds: 3_600 });
    const progress = await ada.requested({ ...from, login: 'ada' });
    expect(await ada.enter(progress, guessedCode(progress))).toEqual({ state: 'refused' });
    for (let hour = 0; hour < 2; hour += 1) {
      ada.clock.now += 3_600_000;
      for (let sent = 0; sent < 3; sent += 1) await ada.request(from);
    }
    await ada.codeAt(7);
    expect(ada.mailbox.received).toHaveLength(8);
    expect(await ada.signInBy(8)).toMatchObject({ state: 'done' });
  });

  it('a sign-in allows three more from its address', async () => {
    const ada = await openAda();
    for (let sent = 0; sent < 2; sent += 1) await ada.requested({ address });
    expect(await ada.signInBy(2, { address })).toMatchObject({ state: 'done' });
    for (let sent = 0; sent < 3; sent += 1) await ada.requested({ address });
    expect(await ada.request({ address })).toMatchObject({ state: 'limited' });
    await ada.codeAt(5);
  });

  it('a sign-in, or an administrator who unlocks the user, allows five more', async () => {
    const ada = await openAda();
    for (let sent = 0; sent < 4; sent += 1) await ada.requested();
    expect(await ada.signInBy(4)).toMatchObject({ state: 'done' });
    for (let sent = 0; sent < 5; sent += 1) await ada.requested();
    expect(await ada.request()).toMatchObject({ state: 'limited' });
    await ada.accounts.users.unlock({ subject: ada.subject });
    expect(await ada.signInBy(10)).toMatchObject({ state: 'done' });
  });

  it('all names of a user share five codes an hour: the answer does not change, and a code that was not sent is never valid', async () => {
    const ada = await openAda();
    for (let sent = 0; sent < 5; sent += 1) await ada.requested();
    const progress = await ada.requested({ login: 'ada' });
    expect(await ada.enter(progress, guessedCode(progress))).toEqual({ state: 'refused' });
    await ada.codeAt(4);
    expect(ada.mailbox.received).toHaveLength(5);
    const limited = { type: 'sign_in', method: 'email', result: 'limited', subject: ada.subject };
    expect(ada.events.filter(({ type }) => type === 'sign_in')[0]).toEqual(limited);
  });

  it('twenty codes a day are sent, and a sign-in resets the limit', async () => {
    const ada = await openAda();
    const request = async () => {
      ada.clock.now += 1_200_000;
      return ada.requested();
    };
    for (let sent = 0; sent < 20; sent += 1) await request();
    await request();
    await ada.codeAt(19);
    expect(ada.mailbox.received).toHaveLength(20);
    ada.clock.now += 86_400_000;
    expect(await ada.signInBy(20)).toMatchObject({ state: 'done' });
  });

  it('a browser of the user gets a code after others have used up the requests', async () => {
    const ada = await openAda();
    const signedIn = await ada.signInBy(0);
    const device = signedIn.state === 'done' ? signedIn.device : undefined;
    for (let sent = 0; sent < 5; sent += 1) await ada.request();
    expect(await ada.request()).toMatchObject({ state: 'limited' });
    const sent = ada.mailbox.received.length;
    const progress = await ada.requested({ device });
    expect(await ada.enter(progress, await ada.codeAt(Math.max(sent, 5)))).toMatchObject({ state: 'done' });
  });

  it('a user who has an app must use it, and a code by email is no second factor beside it', async () => {
    const kinds = [...secondFactors.kinds, 'email' as const];
    const ada = await openAda({ secondFactors: { ...secondFactors, kinds } });
    expect(await ada.signInBy(0)).toMatchObject({ state: 'done', acr: 'urn:carnet:1fa' });
    const secret = await enrolTotp(ada, ada.subject);
    const asked = await ada.signInBy(2);
    expect(asked).toMatchObject({ state: 'factor', kinds: ['totp'] });
    const progress = progressOf(asked, 'factor');
    const wrong = { progress, kind: 'email' as const, code: '000000', ...circumstances };
    expect(await ada.accounts.signIn.factor(wrong)).toEqual({ state: 'refused' });
    const code = totpCode(secret, ada.clock.now);
    expect(await ada.accounts.signIn.factor({ ...wrong, kind: 'totp', code })).toMatchObject({
      state: 'done',
      acr: 'urn:carnet:2fa',
      amr: ['otp', 'mfa'],
    });
  });

  it('a user who needs two factors and has only the mailbox must enrol another', async () => {
    const kinds = [...secondFactors.kinds, 'email' as const];
    const ada = await openAda({ secondFactors: { ...secondFactors, policy: 'required', kinds } });
    expect(await ada.signInBy(0)).toMatchObject({ state: 'enrol', required: true, kinds: ['totp', 'passkey'] });
  });

  it('the progress of a request is not that of another step', async () => {
    const ada = await openAda({ secondFactors: { ...secondFactors, policy: 'required' } });
    const progress = await ada.requested();
    const code = await ada.codeAt(0);
    expect(await ada.accounts.signIn.resume({ progress, ...circumstances })).toEqual({ state: 'expired' });
    const asked = await ada.enter(progress, code);
    expect(await ada.enter(progressOf(asked, 'enrol'), code)).toEqual({ state: 'expired' });
  });

  it('a refusal is recorded with its reason', async () => {
    const ada = await openAda();
    const progress = await ada.requested();
    await ada.enter(progress, otherThan(await ada.codeAt(0)));
    expect(ada.events.filter(({ type }) => type === 'sign_in')).toEqual([
      expect.objectContaining({ method: 'email', result: 'refused', reason: 'wrong_code', subject: ada.subject }),
    ]);
  });
});
