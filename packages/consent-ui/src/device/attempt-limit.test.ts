import { describe, expect, it } from 'vitest';
import { createAttemptLimit } from './attempt-limit.ts';

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
