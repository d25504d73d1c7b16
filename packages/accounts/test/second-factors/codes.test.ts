import { describe, expect, it } from 'vitest';
import { createSecondFactors } from '../../src/second-factors/index.ts';
import { createTestVault } from '../test-vault.ts';
import { totpCode } from '../totp-code.ts';
import { enrolOtp, hotpCode, openTestFactors, openWithOtp, subject } from './open-test-factors.ts';

describe('a TOTP factor', () => {
  it('accepts each code once', async () => {
    const { factors, clock, id, secret } = await openWithOtp();
    const code = totpCode(secret, clock.now);
    const verify = () => factors.verifyCode({ subject, kind: 'totp', code });
    expect(await verify()).toEqual({ outcome: 'accepted', verified: { kind: 'totp', id } });
    expect(await verify()).toEqual({ outcome: 'refused' });
    expect(await factors.list(subject)).toMatchObject([{ id, lastUsedAt: clock.now }]);
  });

  it('does not accept the code of its enrolment', async () => {
    const opened = openTestFactors();
    const before = opened.clock.now;
    const { secret } = await enrolOtp(opened);
    opened.clock.now = before;
    const code = totpCode(secret, before);
    expect(await opened.factors.verifyCode({ subject, kind: 'totp', code })).toEqual({ outcome: 'refused' });
  });

  it('accepts one of twenty parallel uses of a code', async () => {
    const { factors, clock, secret } = await openWithOtp();
    const code = totpCode(secret, clock.now);
    const calls = Array.from({ length: 20 }, () => factors.verifyCode({ subject, kind: 'totp', code }));
    const accepted = (await Promise.all(calls)).filter(({ outcome }) => outcome === 'accepted');
    expect(accepted).toHaveLength(1);
  });

  it('does not accept codes for another user or another kind', async () => {
    const { factors, clock, secret } = await openWithOtp();
    const code = totpCode(secret, clock.now);
    const verify = (of: string, kind: 'totp' | 'hotp' | 'passkey') => factors.verifyCode({ subject: of, kind, code });
    const refused = { outcome: 'refused' };
    expect(
      await Promise.all([verify('people.43', 'totp'), verify(subject, 'hotp'), verify(subject, 'passkey')]),
    ).toEqual([refused, refused, refused]);
  });

  it('keeps its secret sealed, bound to user and factor, and seals it with the current key at the next use', async () => {
    const { clock, deps, id, secret } = await openWithOtp('totp', { vault: createTestVault('old') });
    const read = async () => (await deps.store.list(subject))[0];
    const stored = await read();
    expect(stored?.payload).not.toContain(secret);
    const sealed = JSON.parse(stored?.payload ?? '').secret;
    expect(deps.vault.open(JSON.stringify(['factor', 'people.43', id]), sealed)).toBeUndefined();
    expect(deps.vault.open(JSON.stringify(['factor', subject, id]), sealed)).toBe(secret);

    const rotated = createTestVault('new', 'old');
    const code = totpCode(secret, clock.now);
    const factors = createSecondFactors({ ...deps, vault: rotated });
    expect(await factors.verifyCode({ subject, kind: 'totp', code })).toMatchObject({ outcome: 'accepted' });
    expect(rotated.isCurrent(JSON.parse((await read())?.payload ?? '').secret)).toBe(true);
  });

  it('an unknown key is an error of the operator and never a wrong code', async () => {
    const { clock, deps, secret } = await openWithOtp();
    const factors = createSecondFactors({ ...deps, vault: createTestVault('other') });
    const code = totpCode(secret, clock.now);
    await expect(factors.verifyCode({ subject, kind: 'totp', code })).rejects.toThrow(/keep earlier secrets/);
  });

  it('two consecutive codes correct the drift of a factor', async () => {
    const { factors, clock, id, secret } = await openWithOtp();
    const ahead = (steps: number) => totpCode(secret, clock.now + steps * 30_000);
    const verify = (code: string) => factors.verifyCode({ subject, kind: 'totp', code });
    expect(await verify(ahead(6))).toEqual({ outcome: 'refused' });
    const resync = (codes: readonly [string, string]) => factors.resync({ subject, id, codes });
    expect(await resync([ahead(5), ahead(7)])).toEqual({ outcome: 'wrong_code' });
    expect(await resync([ahead(5), ahead(6)])).toEqual({ outcome: 'synchronised' });
    expect(await verify(ahead(6))).toEqual({ outcome: 'refused' });
    expect(await verify(ahead(7))).toMatchObject({ outcome: 'accepted' });
  });
});

describe('an HOTP factor', () => {
  it('accepts each counter once, up to ten ahead, and more after a resynchronisation', async () => {
    const { factors, id, secret } = await openWithOtp('hotp');
    const outcomes: string[] = [];
    for (const counter of [0, 3, 3, 2, 13, 24]) {
      const code = hotpCode(secret, counter);
      outcomes.push((await factors.verifyCode({ subject, kind: 'hotp', code })).outcome);
    }
    expect(outcomes).toEqual(['refused', 'accepted', 'refused', 'refused', 'accepted', 'refused']);
    const codes = [hotpCode(secret, 800), hotpCode(secret, 801)] as const;
    expect(await factors.resync({ subject, id, codes })).toEqual({ outcome: 'synchronised' });
    const next = hotpCode(secret, 802);
    expect(await factors.verifyCode({ subject, kind: 'hotp', code: next })).toMatchObject({
      outcome: 'accepted',
    });
  });
});

describe('an enrolment', () => {
  const begin = (opened: ReturnType<typeof openTestFactors>) =>
    opened.factors.beginOtp({ subject, kind: 'totp', issuer: 'Example', account: 'ada', label: 'Phone' });

  it('stores a factor at the first correct code, once', async () => {
    const opened = openTestFactors();
    const { enrolment, secret } = await begin(opened);
    expect(await opened.factors.confirmOtp({ subject, enrolment, code: '000000' })).toEqual({ outcome: 'wrong_code' });
    expect(await opened.factors.list(subject)).toEqual([]);
    const confirm = () => opened.factors.confirmOtp({ subject, enrolment, code: totpCode(secret, opened.clock.now) });
    const answers = await Promise.all([confirm(), confirm(), confirm()]);
    expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual(['enrolled', 'expired', 'expired']);
    const [factor] = await opened.factors.list(subject);
    expect(factor).toMatchObject({ kind: 'totp', label: 'Phone' });
    await opened.factors.remove(subject, factor?.id ?? '');
    expect(await confirm()).toEqual({ outcome: 'expired' });
  });

  it('an enrolment is bound to its user, expires after 30 minutes, and reveals no secret', async () => {
    const opened = openTestFactors();
    const { enrolment, secret } = await begin(opened);
    expect(Buffer.from(enrolment, 'base64url').toString()).not.toContain(secret);
    const code = () => totpCode(secret, opened.clock.now);
    const foreign = { subject: 'people.43', enrolment, code: code() };
    expect(await opened.factors.confirmOtp(foreign)).toEqual({ outcome: 'expired' });
    for (const text of ['', 'garbage', `${enrolment.slice(0, -4)}AAAA`])
      expect(await opened.factors.confirmOtp({ subject, enrolment: text, code: code() })).toEqual({
        outcome: 'expired',
      });
    opened.clock.now += 30 * 60_000;
    expect(await opened.factors.confirmOtp({ subject, enrolment, code: code() })).toEqual({ outcome: 'expired' });
  });

  it('an enrolment of a kind that the settings do not list is refused', async () => {
    const { factors } = openTestFactors({ policy: { default: 'optional', kinds: ['passkey'] } });
    const input = { subject, kind: 'totp', issuer: 'Example', account: 'ada' } as const;
    await expect(factors.beginOtp(input)).rejects.toThrow('add totp to the allowed kinds');
    await expect(factors.createRecoveryCodes(subject)).rejects.toThrow('add recovery_code');
  });
});

describe('recovery codes', () => {
  it('are ten, of 80 bits, each accepted once, and replaced as a set', async () => {
    const { factors } = openTestFactors();
    const codes = await factors.createRecoveryCodes(subject);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
    const verify = (code = '') => factors.verifyCode({ subject, kind: 'recovery_code', code });
    const typed = codes[3]?.toLowerCase().replaceAll('-', ' ');
    expect(await verify(typed)).toMatchObject({ outcome: 'accepted', verified: { kind: 'recovery_code' } });
    expect(await verify(codes[3])).toEqual({ outcome: 'refused' });
    expect(await factors.list(subject)).toMatchObject([{ kind: 'recovery_code', remaining: 9 }]);
    const next = await factors.createRecoveryCodes(subject);
    expect(await verify(codes[4])).toEqual({ outcome: 'refused' });
    expect(await verify(next[4])).toMatchObject({ outcome: 'accepted' });
    expect(await factors.list(subject)).toHaveLength(1);
  });

  it('are each accepted once in parallel, and different ones do not disturb each other', async () => {
    const { factors } = openTestFactors();
    const [first = '', second = ''] = await factors.createRecoveryCodes(subject);
    const calls = [first, first, second, second].map((code) =>
      factors.verifyCode({ subject, kind: 'recovery_code', code }),
    );
    const accepted = (await Promise.all(calls)).filter(({ outcome }) => outcome === 'accepted');
    expect(accepted).toHaveLength(2);
  });

  it('of a user without another factor end with the first one: the password alone was enough to create them', async () => {
    const opened = openTestFactors();
    const [planted = ''] = await opened.factors.createRecoveryCodes(subject);
    await enrolOtp(opened);
    const verify = (code: string) => opened.factors.verifyCode({ subject, kind: 'recovery_code', code });
    expect(await verify(planted)).toEqual({ outcome: 'refused' });
    const [own = ''] = await opened.factors.createRecoveryCodes(subject);
    await enrolOtp(opened, 'hotp');
    expect(await verify(own)).toMatchObject({ outcome: 'accepted' });
  });

  it('are not readable in the store, and are removed with the last factor that they replace', async () => {
    const { factors, deps, id } = await openWithOtp();
    const codes = await factors.createRecoveryCodes(subject);
    const stored = JSON.stringify(await deps.store.list(subject));
    for (const code of codes) expect(stored).not.toContain(code.replaceAll('-', ''));
    expect(await factors.remove(subject, id)).toBe(true);
    expect(await factors.list(subject)).toEqual([]);
    expect(await factors.remove(subject, id)).toBe(false);
  });
});

describe('a PIN', () => {
  it('a PIN is checked against a sealed hash, and replaced by the next one', async () => {
    const opened = openTestFactors();
    const verify = async (code: string) => (await opened.factors.verifyCode({ subject, kind: 'pin', code })).outcome;
    await opened.factors.setPin(subject, 'first pin');
    expect(await verify('first pin')).toBe('accepted');
    expect(await verify('first pin')).toBe('accepted');
    expect((await opened.deps.store.list(subject))[0]?.payload).not.toContain('$sha256$');
    await opened.factors.setPin(subject, 'second pin');
    expect(await verify('first pin')).toBe('refused');
    expect(await verify('second pin')).toBe('accepted');
    expect(await opened.factors.list(subject)).toMatchObject([{ kind: 'pin' }]);
  });
});

describe('a reset', () => {
  it('removes every factor of one user', async () => {
    const opened = openTestFactors();
    await enrolOtp(opened);
    await opened.factors.createRecoveryCodes(subject);
    await opened.factors.createRecoveryCodes('people.43');
    expect(await opened.factors.reset(subject)).toBe(2);
    expect(await opened.factors.list(subject)).toEqual([]);
    expect(await opened.factors.list('people.43')).toHaveLength(1);
  });
});
