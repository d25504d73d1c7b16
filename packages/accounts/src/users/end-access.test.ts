import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAccess } from './end-access.ts';

const minute = 60_000;

describe('the end of access', () => {
  afterEach(() => vi.useRealTimers());

  it('a revocation that fails is tried once a minute, not each second, as long as the directory does not answer', async () => {
    vi.useFakeTimers();
    let asked = 0;
    const access = createAccess({
      directories: {
        load: async () => {
          asked += 1;
          throw new Error('the directory is away');
        },
      },
      purge: async () => 0,
      onRevoke: async () => {},
      store: undefined,
      windowSeconds: 120,
      logger: { error: () => {} },
      now: Date.now,
    });
    await access.end('team.u1', 'team');
    await vi.advanceTimersByTimeAsync(3 * minute);
    const before = asked;
    await vi.advanceTimersByTimeAsync(10 * minute);
    expect(asked - before).toBeGreaterThanOrEqual(9);
    expect(asked - before).toBeLessThanOrEqual(11);
    access.close();
  });
});
