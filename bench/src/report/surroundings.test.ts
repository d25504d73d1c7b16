import { describe, expect, it } from 'vitest';
import { busyShareOf, busyWarning } from './surroundings.ts';

const cpu = (user: number, idle: number) => ({ times: { user, nice: 0, sys: 0, idle, irq: 0 } });

describe('a busy machine', () => {
  it('shows in the idle time of all cores', () => {
    expect(busyShareOf([cpu(0, 0), cpu(0, 0)], [cpu(100, 900), cpu(500, 500)])).toBeCloseTo(0.3);
    expect(busyShareOf([cpu(5, 5)], [cpu(5, 5)])).toBe(0);
  });

  it('causes a warning, and a quiet one does not', () => {
    expect(busyWarning(0.43)).toContain('43 % of the CPU');
    expect(busyWarning(0.05)).toBeUndefined();
    // A result of an earlier version.
    expect(busyWarning(undefined)).toBeUndefined();
  });
});
