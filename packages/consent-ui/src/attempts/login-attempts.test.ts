import { describe, expect, it } from 'vitest';
import { createAttemptLimit } from './attempt-limit.ts';
import { createLoginAttempts } from './login-attempts.ts';

describe('an attempt limit', () => {
  it('allows so many attempts in a window and then says how long to wait', () => {
    let now = 0;
    const attempts = createAttemptLimit({ limit: 2, windowSeconds: 60, now: () => now });
    expect([attempts.take('a'), attempts.take('a')]).toEqual([{ allowed: true }, { allowed: true }]);
    now = 20_500;
    expect(attempts.take('a')).toEqual({ allowed: false, retryAfterSeconds: 40 });
    expect(attempts.take('b')).toEqual({ allowed: true });
    now = 60_000;
    expect(attempts.take('a')).toEqual({ allowed: true });
  });

  it('does not count what is given back', () => {
    const attempts = createAttemptLimit({ limit: 1, windowSeconds: 60 });
    attempts.take('a');
    attempts.giveBack('a');
    expect(attempts.take('a')).toEqual({ allowed: true });
    expect(attempts.take('a')).toMatchObject({ allowed: false });
  });

  it('gives back no more than was taken', () => {
    const attempts = createAttemptLimit({ limit: 1, windowSeconds: 60 });
    attempts.giveBack('a');
    attempts.take('a');
    attempts.giveBack('a');
    attempts.giveBack('a');
    attempts.take('a');
    expect(attempts.take('a')).toMatchObject({ allowed: false });
  });

  it('remembers no more keys than it may: the oldest makes room', () => {
    const attempts = createAttemptLimit({ limit: 1, windowSeconds: 60, maximumKeys: 2 });
    for (const key of ['a', 'b', 'c']) attempts.take(key);
    expect(attempts.take('c')).toMatchObject({ allowed: false });
    expect(attempts.take('b')).toMatchObject({ allowed: false });
    expect(attempts.take('a')).toEqual({ allowed: true });
  });
});

describe('login attempts', () => {
  it('stop guesses at one person from many addresses', () => {
    const attempts = createLoginAttempts({ perUserName: 2, perAddress: 100 });
    expect([1, 2, 3].map((n) => attempts.begin('dana', `192.0.2.${n}`) === undefined)).toEqual([true, true, false]);
  });

  it('stop guesses at many people from one address', () => {
    const attempts = createLoginAttempts({ perUserName: 100, perAddress: 2 });
    expect(['a', 'b', 'c'].map((name) => attempts.begin(name, '192.0.2.1') === undefined)).toEqual([true, true, false]);
  });

  it('do not use up an address with a person who is blocked already', () => {
    const attempts = createLoginAttempts({ perUserName: 1, perAddress: 3 });
    for (let n = 0; n < 5; n += 1) attempts.begin('dana', '192.0.2.1');
    expect(attempts.begin('grace', '192.0.2.1')).toBeUndefined();
  });

  it('never block somebody who knows the password', () => {
    const attempts = createLoginAttempts({ perUserName: 2, perAddress: 2 });
    for (let n = 0; n < 10; n += 1) {
      expect(attempts.begin('dana', '192.0.2.1')).toBeUndefined();
      attempts.forgive('dana', '192.0.2.1');
    }
  });
});
