import { describe, expect, it } from 'vitest';
import { busyShareOf, busyWarning } from './surroundings.ts';

const cpu = (user: number, idle: number) => ({ times: { user, nice: 0, sys: 0, idle, irq: 0 } });

describe('a busy machine', () => {
  it('is found by the time that all cores were idle', () => {
    expect(busyShareOf([cpu(0, 0), cpu(0, 0)], [cpu(100, 900), cpu(500, 500)])).toBeCloseTo(0.3);
    expect(busyShareOf([cpu(5, 5)], [cpu(5, 5)])).toBe(0);
  });

  it('is a reason for a warning, a quiet one is none', () => {
    expect(busyWarning(0.43)).toContain('43 % of the CPU');
    expect(busyWarning(0.05)).toBeUndefined();
    // A result of an earlier version.
    expect(busyWarning(undefined)).toBeUndefined();
  });
});
