import { describe, expect, it } from 'vitest';
import { enrolOtp, hotpCode, openTestFactors, subject } from '../../test/second-factors/open-test-factors.ts';
import type { AccountsEvent } from '../dependencies.ts';
import type { PassMode } from './check-pass.ts';
import { createValidateCheck } from './validate-check.ts';

const token = 'a-token-of-sixteen-characters';
const now = () => 1_790_000_000_500;

const open = (mode: PassMode) => {
  const { factors, clock } = openTestFactors({ now });
  const logins = ['ada', 'ada@staff'];
  const events: AccountsEvent[] = [];
  const check = createValidateCheck({
    mode,
    token,
    allow: [],
    now,
    factors,
    emit: async (event) => void events.push(event),
    find: async (login) => (logins.includes(login) ? subject : undefined),
    checkPassword: async (login, password) => (logins.includes(login) && password === 'secret' ? subject : undefined),
  });
  const send = (body: string, contentType = 'application/x-www-form-urlencoded') =>
    check({ authorization: `Bearer ${token}`, contentType, body });
  const ask = async (user: string, pass: string) => {
    const { body } = await send(new URLSearchParams({ user, pass }).toString());
    return (body.result as { value: boolean }).value;
  };
  return { factors, clock, check, send, ask, events };
};

/** An HOTP factor: its codes depend on no clock. Returns the code of a counter; 0 is used by the enrolment. */
const enrol = async (opened: Parameters<typeof enrolOtp>[0]): Promise<(counter: number) => string> => {
  const { secret } = await enrolOtp(opened, 'hotp');
  return (counter) => hotpCode(secret, counter);
};

describe('/validate/check', () => {
  it('answers in the JSON of privacyIDEA', async () => {
    const { factors, send, events } = open('pin');
    const { id } = await factors.setPin(subject, '1234');
    const frame = { jsonrpc: '2.0', id: 2, time: 1_790_000_000.5, version: 'Carnet' };
    expect(await send('user=ada&pass=1234')).toEqual({
      status: 200,
      body: {
        ...frame,
        result: { status: true, value: true, authentication: 'ACCEPT' },
        detail: { message: 'matching 1 tokens', otplen: 6, serial: id, type: 'spass' },
      },
    });
    expect(await send('user=ada&pass=12345')).toEqual({
      status: 200,
      body: {
        ...frame,
        result: { status: true, value: false, authentication: 'REJECT' },
        detail: { message: 'wrong otp pin' },
      },
    });
    const event = { type: 'sign_in', method: 'validate_check', subject };
    expect(events).toEqual([
      { ...event, result: 'done' },
      { ...event, result: 'refused' },
    ]);
  });

  it('takes forms and JSON, with and without a realm', async () => {
    const { factors, send } = open('pin');
    await factors.setPin(subject, '1234');
    const accepted = expect.objectContaining({ result: expect.objectContaining({ value: true }) });
    for (const body of [
      { user: 'ada' },
      { user: 'ada', realm: 'staff' },
      { user: 'ada@staff' },
      { user: 'ada', realm: '' },
    ])
      expect(await send(JSON.stringify({ ...body, pass: '1234' }), 'application/json; charset=utf-8')).toMatchObject({
        body: accepted,
      });
    expect(await send('user=ada&realm=staff&pass=1234&transaction_id=7')).toMatchObject({ body: accepted });
  });

  it.each([
    ['pass=1234', undefined],
    ['user=ada', undefined],
    ['user=&pass=1234', undefined],
    ['{"user":"ada","pass":"1234"', 'application/json'],
    ['{"user":{},"pass":"1234"}', 'application/json'],
    ['null', 'application/json'],
  ])('refuses %s, with the code of privacyIDEA', async (body, contentType) => {
    const answer = await open('pin').send(body, contentType);
    expect(answer).toMatchObject({ status: 400, body: { result: { status: false, error: { code: 905 } } } });
  });

  it('checks no code for a caller that may not ask', async () => {
    const { factors, check } = open('pin');
    await factors.setPin(subject, '1234');
    const answer = await check({ body: 'user=ada&pass=1234', authorization: 'Bearer wrong' });
    expect(answer).toMatchObject({ status: 401, body: { result: { status: false, error: { code: 4033 } } } });
  });

  it('gives one answer for an unknown user, a user without a PIN, a wrong PIN, and too many attempts', async () => {
    const { factors, send } = open('pin');
    const without = await send('user=ada&pass=1234');
    await factors.setPin(subject, '1234');
    const unknown = await send('user=bob&pass=1234');
    const wrong = await send('user=ada&pass=0000');
    for (let guess = 0; guess < 5; guess += 1) await send('user=ada&pass=0000');
    const limited = await send('user=ada&pass=1234');
    expect([unknown, wrong, limited]).toEqual([without, without, without]);
  });

  it('counts wrong PINs apart from the codes of the login page', async () => {
    const { factors, clock, ask } = open('pin');
    const codeOf = await enrol({ factors, clock });
    for (let guess = 0; guess < 10; guess += 1) await ask('ada', '0000');
    const sent = { subject, kind: 'hotp', code: codeOf(1) } as const;
    expect(await factors.verifyCode(sent)).toMatchObject({ outcome: 'accepted' });
  });
});

describe('a PIN and a code', () => {
  it('are both needed, and the code is accepted once', async () => {
    const { factors, clock, ask } = open('pin_otp');
    const codeOf = await enrol({ factors, clock });
    await factors.setPin(subject, 'my pin');
    expect(await ask('ada', 'my pin')).toBe(false);
    expect(await ask('ada', codeOf(1))).toBe(false);
    expect(await ask('ada', `wrong${codeOf(1)}`)).toBe(false);
    expect(await ask('ada', `my pin${codeOf(1)}`)).toBe(true);
    expect(await ask('ada', `my pin${codeOf(1)}`)).toBe(false);
  });

  it('do not give unlimited guesses of codes to an attacker who has the PIN', async () => {
    const { factors, clock, ask } = open('pin_otp');
    const codeOf = await enrol({ factors, clock });
    await factors.setPin(subject, 'my pin');
    for (let guess = 0; guess < 5; guess += 1) await ask('ada', 'my pin000000');
    expect(await ask('ada', `my pin${codeOf(1)}`)).toBe(false);
  });
});

describe('a password and a code', () => {
  it('are both needed', async () => {
    const { factors, clock, ask } = open('password_otp');
    expect(await ask('ada', 'secret123456')).toBe(false);
    const codeOf = await enrol({ factors, clock });
    expect(await ask('ada', 'secret')).toBe(false);
    expect(await ask('ada', `wrong${codeOf(1)}`)).toBe(false);
    expect(await ask('bob', `secret${codeOf(1)}`)).toBe(false);
    expect(await ask('ada', `secret${codeOf(1)}`)).toBe(true);
  });

  it('do not use up a code or count a guess of codes if the password is wrong', async () => {
    const { factors, clock, ask } = open('password_otp');
    const codeOf = await enrol({ factors, clock });
    for (let guess = 0; guess < 10; guess += 1) await ask('ada', `wrong${codeOf(1)}`);
    expect(await ask('ada', `secret${codeOf(1)}`)).toBe(true);
  });
});
