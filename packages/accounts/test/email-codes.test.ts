import { describe, expect, it } from 'vitest';
import type { AccountsOptions } from '../src/index.ts';
import { mailAt, openWithMail } from './mailbox.ts';
import {
  createUser,
  engines,
  enrolTotp,
  password,
  progressOf,
  testOptions,
  useDatabases,
} from './open-test-accounts.ts';

const databases = useDatabases();
const login = 'ada@example.com';
const circumstances = { binding: 'login-challenge-1', clientId: 'shop' };
const { secondFactors } = testOptions();
const withEmail = { secondFactors: { ...secondFactors, kinds: [...secondFactors.kinds, 'email' as const] } };
/** With the password only, a user of this client is signed in. */
const withoutPolicy = { secondFactors: { ...withEmail.secondFactors, policy: 'none' as const } };

/** Accounts with the user Ada, whose address is verified, and a mail server. */
const openAda = async (url: string, options: Partial<AccountsOptions> = withEmail, emailVerified = true) => {
  const subject = await createUser(url, { emailVerified });
  const test = await openWithMail(url, options);
  const { signIn } = test.accounts;
  const enter = () => signIn.password({ login, password, ...circumstances });
  const send = (progress: string, language?: string) => signIn.sendCode({ progress, language, ...circumstances });
  const answer = (progress: string, code: string) => signIn.factor({ progress, kind: 'email', code, ...circumstances });
  return { ...test, subject, enter, send, answer };
};

type Ada = Awaited<ReturnType<typeof openAda>>;

const codeIn = ({ text }: { readonly text: string }): string => /^\d{6}$/m.exec(text)?.[0] ?? '';

/** The progress after a code was sent, and the code of the email with this number. */
const sendCode = async ({ enter, send, mailbox }: Ada, index = 0) => {
  const progress = progressOf(await send(progressOf(await enter(), 'factor')), 'factor');
  return { progress, code: codeIn(await mailAt(mailbox, index)) };
};

const otherThan = (code: string): string => (code === '000000' ? '000001' : '000000');

describe.each(engines)('a code by email with users in %s', (engine) => {
  it('a user with a verified address has it as second factor, once, and nothing is enrolled', async () => {
    const ada = await openAda(await databases.createUrl(engine));
    expect(await ada.enter()).toMatchObject({ state: 'factor', kinds: ['email'] });
    const { progress, code } = await sendCode(ada);
    expect((await mailAt(ada.mailbox, 0)).recipients).toEqual([login]);
    expect(await ada.answer(progress, otherThan(code))).toEqual({ state: 'refused' });
    const answers = await Promise.all([1, 2, 3].map(() => ada.answer(progress, code)));
    expect(answers.filter(({ state }) => state === 'done')).toEqual([
      expect.objectContaining({ subject: ada.subject, acr: 'urn:carnet:2fa', amr: ['pwd', 'otp', 'mfa'] }),
    ]);
    expect(await ada.answer(progress, code)).toEqual({ state: 'refused' });
    expect(await ada.accounts.factors.list({ owner: { subject: ada.subject } })).toEqual({ factors: [] });
  });
});

describe('a code by email', () => {
  const open = async (options?: Partial<AccountsOptions>, emailVerified?: boolean) =>
    openAda(await databases.createUrl('sqlite'), options, emailVerified);

  it('users whose address is not verified need none, and no user does if the kind is not listed', async () => {
    expect(await (await open(withEmail, false)).enter()).toMatchObject({ state: 'done', acr: 'urn:carnet:1fa' });
    expect(await (await open({ secondFactors })).enter()).toMatchObject({ state: 'done' });
  });

  it('a user who has an app cannot use it: a mailbox and a new password are not enough', async () => {
    const ada = await open();
    const before = await sendCode(ada);
    await enrolTotp(ada, ada.subject);
    const asked = await ada.enter();
    expect(asked).toMatchObject({ state: 'factor', kinds: ['totp'] });
    expect(await ada.send(progressOf(asked, 'factor'))).toMatchObject({ state: 'factor', kinds: ['totp'] });
    expect(await ada.answer(before.progress, before.code)).toEqual({ state: 'refused' });
    // The first one of the codes, and the notice of the app.
    expect((await mailAt(ada.mailbox, 1)).text).not.toMatch(/^\d{6}$/m);
  });

  it('the code belongs to the progress of its sign-in, and to the login request', async () => {
    const ada = await open();
    const first = await sendCode(ada, 0);
    const second = await sendCode(ada, 1);
    if (first.code !== second.code) expect(await ada.answer(second.progress, first.code)).toEqual({ state: 'refused' });
    const elsewhere = { progress: second.progress, kind: 'email' as const, code: second.code, binding: 'other' };
    expect(await ada.accounts.signIn.factor(elsewhere)).toEqual({ state: 'expired' });
    expect(await ada.answer(progressOf(await ada.enter(), 'factor'), second.code)).toEqual({ state: 'refused' });
    expect(await ada.answer(first.progress, first.code)).toMatchObject({ state: 'done' });
  });

  it('the code is valid for ten minutes, which the email states', async () => {
    const ada = await open();
    const { progress, code } = await sendCode(ada);
    expect((await mailAt(ada.mailbox, 0)).text).toContain('10 minutes');
    ada.clock.now += 10 * 60_000;
    expect(await ada.answer(progress, code)).toEqual({ state: 'expired' });
  });

  it('an address that an administrator sets is no factor before it is verified', async () => {
    const { accounts, subject } = await openAda(await databases.createUrl('sqlite'));
    const kinds = async () => {
      const step = await accounts.signIn.password({ login: 'ada@example.org', password, ...circumstances });
      return 'kinds' in step ? step.kinds : [];
    };
    await accounts.users.update({ subject, email: 'ada@example.org' });
    expect(await kinds()).not.toContain('email');
    await accounts.users.update({ subject, emailVerified: true });
    expect(await kinds()).toContain('email');
  });

  it('the code is void once the user has another address', async () => {
    const ada = await open();
    const { progress, code } = await sendCode(ada);
    await ada.accounts.users.update({ subject: ada.subject, email: 'lovelace@example.com', emailVerified: true });
    expect(await ada.answer(progress, code)).toEqual({ state: 'refused' });
  });

  it('a user has five guesses, which new codes do not renew', async () => {
    const ada = await open();
    for (let guess = 0; guess < 5; guess += 1) {
      const { progress, code } = await sendCode(ada, guess);
      expect(await ada.answer(progress, otherThan(code))).toEqual({ state: 'refused' });
    }
    const progress = progressOf(await ada.enter(), 'factor');
    expect(await ada.answer(progress, '000000')).toMatchObject({ state: 'limited' });
  });

  it('a user gets five emails in an hour, and a right code allows five more', async () => {
    const ada = await open();
    await sendCode(ada, 0);
    const { progress, code } = await sendCode(ada, 1);
    expect(await ada.answer(progress, code)).toMatchObject({ state: 'done' });
    for (let sent = 2; sent < 7; sent += 1) await sendCode(ada, sent);
    const asked = progressOf(await ada.enter(), 'factor');
    expect(await ada.send(asked)).toMatchObject({ state: 'limited' });
    ada.clock.now += 3600_000;
    expect(await ada.send(progressOf(await ada.enter(), 'factor'))).toMatchObject({ state: 'factor' });
    await mailAt(ada.mailbox, 7);
    expect(ada.mailbox.received).toHaveLength(8);
  });

  it('an email is sent only if the sign-in needs the factor', async () => {
    const ada = await open(withoutPolicy);
    expect(await ada.enter()).toMatchObject({ state: 'done' });
    const stepUp = { ...circumstances, acrValues: ['urn:carnet:2fa'] };
    const asked = await ada.accounts.signIn.password({ login, password, ...stepUp });
    expect(asked).toMatchObject({ state: 'factor', kinds: ['email'] });
    expect(await ada.send(progressOf(asked, 'factor'))).toMatchObject({ state: 'done' });
    const sent = await ada.accounts.signIn.sendCode({ progress: progressOf(asked, 'factor'), ...stepUp });
    const code = codeIn(await mailAt(ada.mailbox, 0));
    const input = { progress: progressOf(sent, 'factor'), kind: 'email' as const, code, ...stepUp };
    expect(await ada.accounts.signIn.factor(input)).toMatchObject({ state: 'done', acr: 'urn:carnet:2fa' });
    expect(ada.mailbox.received).toHaveLength(1);
  });

  it('an attacker who has the password enrols no app without the code', async () => {
    const ada = await open();
    const owner = { progress: progressOf(await ada.enter(), 'factor'), binding: circumstances.binding };
    const begin = ada.accounts.factors.begin({ owner, kind: 'totp', issuer: 'Example' });
    await expect(begin).rejects.toThrow(expect.objectContaining({ code: 'expired_progress' }));
  });

  it('the email has the language of the user, and no subject, log or event has the code', async () => {
    const ada = await open();
    await ada.accounts.account.update({ subject: ada.subject, claims: { locale: 'fr' } });
    await ada.send(progressOf(await ada.enter(), 'factor'), 'de');
    const mail = await mailAt(ada.mailbox, 0);
    const code = codeIn(mail);
    expect(mail.text).toContain('Saisissez ce code');
    expect(code).toMatch(/^\d{6}$/);
    expect(ada.mailbox.received[0]?.headers.get('subject')).not.toContain(code);
    expect(JSON.stringify([ada.events, ada.lines])).not.toContain(code);
  });
});
