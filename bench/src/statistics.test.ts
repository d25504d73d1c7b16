import { describe, expect, it } from 'vitest';
import { median, medianOf, spreadOf } from './statistics.ts';

const round = (perSecond: number, p95: number) => ({
  perSecond,
  p50: 1,
  p95,
  p99: 9,
  serverCpu: Number.NaN,
  storeCpu: 0,
  generatorCpu: 1,
});

describe('medians', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
    [[7], 7],
    [[], Number.NaN],
  ])('of %j', (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  it('are those of each figure by itself, and spread tells the ends', () => {
    const rounds = [round(100, 5), round(300, 4), round(200, 9)];
    expect(medianOf(rounds)).toMatchObject({ perSecond: 200, p95: 5, serverCpu: Number.NaN });
    expect(spreadOf(rounds)).toMatchObject({ lowest: { perSecond: 100, p95: 4 }, highest: { perSecond: 300, p95: 9 } });
  });
});
