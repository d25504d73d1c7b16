import { describe, expect, it } from 'vitest';
import { totpCode } from '../totp-code.ts';
import { openWithOtp, subject } from './open-test-factors.ts';

const minute = 60_000;

describe('guesses of codes', () => {
  const open = async () => {
    const { factors, clock, secret } = await openWithOtp();
    const right = () => totpCode(secret, clock.now);
    const wrong = () => String((Number(right()) + 1) % 1_000_000).padStart(6, '0');
    const verify = (code: string, of = subject) => factors.verifyCode({ subject: of, kind: 'totp', code });
    return { factors, clock, right, wrong, verify };
  };

  it('are five, then one after waits of 5, 10 and 15 minutes; the right code is refused as well while waiting', async () => {
    const { clock, right, wrong, verify } = await open();
    for (let guess = 0; guess < 5; guess += 1) expect(await verify(wrong())).toEqual({ outcome: 'refused' });
    for (const waitMinutes of [5, 10, 15, 15]) {
      expect(await verify(right())).toEqual({ outcome: 'limited', retryAfterSeconds: waitMinutes * 60 });
      clock.now += waitMinutes * minute - 1_000;
      expect(await verify(right())).toEqual({ outcome: 'limited', retryAfterSeconds: 1 });
      clock.now += 1_000;
      expect(await verify(wrong())).toEqual({ outcome: 'refused' });
    }
    clock.now += 15 * minute;
    expect(await verify(right())).toMatchObject({ outcome: 'accepted' });
  });

  it('begin anew after a right code, and after a day', async () => {
    const { clock, right, wrong, verify } = await open();
    for (let guess = 0; guess < 4; guess += 1) await verify(wrong());
    expect(await verify(right())).toMatchObject({ outcome: 'accepted' });
    for (let guess = 0; guess < 5; guess += 1) expect(await verify(wrong())).toEqual({ outcome: 'refused' });
    expect(await verify(wrong())).toMatchObject({ outcome: 'limited' });
    clock.now += 24 * 60 * minute;
    for (let guess = 0; guess < 5; guess += 1) expect(await verify(wrong())).toEqual({ outcome: 'refused' });
  });

  it('are counted before their check, so that of fifty parallel ones five are checked', async () => {
    const { wrong, verify } = await open();
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(wrong())));
    expect(answers.filter(({ outcome }) => outcome === 'refused')).toHaveLength(5);
    expect(answers.filter(({ outcome }) => outcome === 'limited')).toHaveLength(45);
  });

  it('are counted by user over all kinds, and do not affect other users', async () => {
    const { factors, wrong, verify } = await open();
    for (let guess = 0; guess < 5; guess += 1)
      await factors.verifyCode({ subject, kind: 'recovery_code', code: 'AAAA' });
    expect(await verify(wrong())).toMatchObject({ outcome: 'limited' });
    const resync = { subject, id: 'unknown', codes: ['000000', '000001'] } as const;
    expect(await factors.resync(resync)).toMatchObject({ outcome: 'limited' });
    expect(await verify(wrong(), 'people.43')).toEqual({ outcome: 'refused' });
  });

  it('of codes are not cleared by the right PIN', async () => {
    const { factors, wrong, verify } = await open();
    await factors.setPin(subject, '4711');
    const pin = { subject, kind: 'pin', code: '4711' } as const;
    for (let guess = 0; guess < 5; guess += 1) {
      await verify(wrong());
      expect(await factors.verifyCode(pin)).toMatchObject({ outcome: 'accepted' });
    }
    expect(await verify(wrong())).toMatchObject({ outcome: 'limited' });
  });

  it('of an enrolment have a limit of their own, and its right code does not clear the others', async () => {
    const { factors, clock, wrong, verify } = await open();
    for (let guess = 0; guess < 5; guess += 1) await verify(wrong());
    const begun = await factors.beginOtp({ subject, kind: 'totp', issuer: 'Example', account: 'ada' });
    const confirm = (code: string) => factors.confirmOtp({ subject, enrolment: begun.enrolment, code });
    expect(await confirm(totpCode(begun.secret, clock.now))).toMatchObject({ outcome: 'enrolled' });
    expect(await verify(wrong())).toMatchObject({ outcome: 'limited' });
  });
});
