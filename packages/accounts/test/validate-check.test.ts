import { describe, expect, it } from 'vitest';
import {
  type Engine,
  engines,
  enrolTotp,
  openTestAccounts,
  openWithUser,
  password,
  testOptions,
  useDatabases,
} from './open-test-accounts.ts';
import { totpCode } from './totp-code.ts';

const { createUrl } = useDatabases();
const login = 'ada@example.com';

const open = async (mode: 'pin' | 'password_otp', engine: Engine = 'sqlite') => {
  const validateCheck = { enabled: true, mode, allow: ['10.0.0.0/8'] };
  const opened = await openWithUser(await createUrl(engine), { validateCheck });
  const ask = async (user: string, pass: string) => {
    const body = new URLSearchParams({ user, pass }).toString();
    const answer = await opened.accounts.validateCheck?.({ address: '10.1.2.3', body });
    return (answer?.body.result as { value?: boolean } | undefined)?.value;
  };
  return { ...opened, ask };
};

describe.each(engines)('/validate/check on %s', (engine) => {
  it('checks a static PIN', async () => {
    const { accounts, subject, ask } = await open('pin', engine);
    await accounts.factors.pin({ subject, pin: '4711' });
    expect(await ask(login, '4711')).toBe(true);
    expect(await ask('ADA@example.com', '4711')).toBe(true);
    expect(await ask(login, '0815')).toBe(false);
    expect(await ask('bob@example.com', '4711')).toBe(false);
  });

  it('checks a password and a code, with the limit of wrong passwords, and reports both to the audit log', async () => {
    const opened = await open('password_otp', engine);
    const secret = await enrolTotp(opened, opened.subject);
    const code = () => totpCode(secret, opened.clock.now);
    expect(await opened.ask(login, `${password}${code()}`)).toBe(true);
    expect(await opened.ask(login, `${password}${code()}`)).toBe(false);
    const reported = opened.events.flatMap((event) =>
      event.type === 'sign_in' && event.method === 'validate_check' ? [event.result] : [],
    );
    expect(reported).toEqual(['done', 'refused']);
    opened.clock.now += 60_000;
    for (let guess = 0; guess < 10; guess += 1) await opened.ask(login, `wrong${code()}`);
    expect(await opened.ask(login, `${password}${code()}`)).toBe(false);
    opened.clock.now += 300_000;
    expect(await opened.ask(login, `${password}${code()}`)).toBe(true);
  });
});

describe('wrong passwords of /validate/check', () => {
  const openWithTotp = async () => {
    const opened = await open('password_otp');
    const secret = await enrolTotp(opened, opened.subject);
    const ask = (text: string) => opened.ask(login, `${text}${totpCode(secret, opened.clock.now)}`);
    const signIn = async (text: string) =>
      (await opened.accounts.signIn.password({ login, password: text, binding: 'c' })).state;
    return { ask, signIn };
  };

  it('do not lock the user out of the pages', async () => {
    const { ask, signIn } = await openWithTotp();
    for (let guess = 0; guess < 12; guess += 1) await ask('wrong password');
    expect(await ask(password)).toBe(false);
    expect(await signIn(password)).toBe('factor');
  });

  it('are counted apart from those of the pages, which do not lock out the plug-in', async () => {
    const { ask, signIn } = await openWithTotp();
    for (let guess = 0; guess < 12; guess += 1) await signIn('wrong password');
    expect(await signIn(password)).not.toBe('factor');
    expect(await ask(password)).toBe(true);
  });
});

describe('/validate/check', () => {
  it('/validate/check is off by default', async () => {
    const { accounts } = await openTestAccounts(testOptions({ database: await createUrl('sqlite') }));
    expect(accounts.validateCheck).toBeUndefined();
  });
});
