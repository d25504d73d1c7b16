import { describe, expect, it } from 'vitest';
import { createMemoryAttemptStore } from '../second-factors/index.ts';
import { createLoginAttempts } from './login-attempts.ts';

const open = (limits: { perLogin: number; perAddress: number }) => {
  const clock = { now: 0 };
  const now = () => clock.now;
  const store = createMemoryAttemptStore(now);
  const keys: string[] = [];
  const recorded = {
    ...store,
    increment: (key: string, windowSeconds: number) => {
      keys.push(key);
      return store.increment(key, windowSeconds);
    },
  };
  return { clock, keys, attempts: createLoginAttempts(recorded, { ...limits, windowSeconds: 60 }, now) };
};

/** Begins an attempt for each login, with the address after the `@`. Returns the seconds to wait. */
const waits = async (attempts: ReturnType<typeof open>['attempts'], ...names: readonly string[]) => {
  const seconds: (number | undefined)[] = [];
  for (const name of names) {
    const [login = '', address] = name.split('@');
    seconds.push((await attempts.begin(login, address)).retryAfterSeconds);
  }
  return seconds;
};

describe('login attempts', () => {
  it('are limited by login from all addresses together, until the window is over', async () => {
    const { attempts, clock } = open({ perLogin: 2, perAddress: 100 });
    clock.now = 1;
    expect(await waits(attempts, 'ada@1', 'ada@2')).toEqual([undefined, undefined]);
    clock.now = 20_500;
    expect(await waits(attempts, 'ada@3', 'ben@3')).toEqual([40, undefined]);
    clock.now = 60_001;
    expect(await waits(attempts, 'ada')).toEqual([undefined]);
  });

  it('are limited by address for all logins together', async () => {
    const { attempts } = open({ perLogin: 100, perAddress: 2 });
    expect(await waits(attempts, 'a@1', 'b@1', 'c@1', 'c@2')).toEqual([undefined, undefined, 60, undefined]);
  });

  it('of a login that is limited do not use up the address, and the other way round', async () => {
    const { attempts } = open({ perLogin: 1, perAddress: 3 });
    expect(await waits(attempts, 'a@1', 'a@1', 'a@1', 'b@1', 'c@1')).toEqual([undefined, 60, 60, undefined, undefined]);
    expect(await waits(attempts, 'd@1', 'd@2')).toEqual([60, undefined]);
  });

  it('are given back once', async () => {
    const { attempts } = open({ perLogin: 2, perAddress: 2 });
    await attempts.begin('a', '1');
    const attempt = await attempts.begin('a', '1');
    await Promise.all([attempt.giveBack(), attempt.giveBack()]);
    expect(await waits(attempts, 'a@1', 'a@1')).toEqual([undefined, 60]);
  });

  it('of an earlier window do not lower the count of the next one', async () => {
    const { attempts, clock } = open({ perLogin: 1, perAddress: 100 });
    const earlier = await attempts.begin('a', undefined);
    clock.now = 60_001;
    await attempts.begin('a', undefined);
    await earlier.giveBack();
    expect(await waits(attempts, 'a')).toEqual([60]);
  });

  it('leave no login name in the store', async () => {
    const { attempts, keys } = open({ perLogin: 2, perAddress: 2 });
    await attempts.begin('hunter2', '192.0.2.1');
    expect(keys).toHaveLength(2);
    expect(keys.join()).not.toMatch(/hunter2|192/);
  });
});
