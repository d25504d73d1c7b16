import { describe, expect, it } from 'vitest';
import { joinVerdicts, judge, judgeReadings } from './figures.ts';
import { outcomeWith } from './test-outcome.ts';

const onPostgres = () => 'postgres' as const;

describe('the figures', () => {
  it('are met from the bound on, whichever side is good', () => {
    const verdicts = judge(
      [
        outcomeWith({ scenario: 'login-confidential' }, { perSecond: 100 }, { perSecond: 8_000 }),
        outcomeWith({ scenario: 'introspection' }, { perSecond: 1_199 }, { perSecond: 8_000 }),
      ],
      onPostgres,
    );
    expect(verdicts).toEqual([
      expect.objectContaining({ measured: 80, must: 'at most 85 units', isMet: true, isAimReached: false }),
      expect.objectContaining({ must: 'at least 15 % of the yardstick', isMet: false, isAimReached: false }),
    ]);
  });

  it('are the same on a machine of another speed', () => {
    const on = (speed: number) =>
      judge([outcomeWith({}, { perSecond: 100 * speed }, { perSecond: 5_000 * speed })], onPostgres);
    expect(on(3.5)).toEqual(on(1));
  });

  it('compare the CPU time of a login with that of Ory Hydra in the same run', () => {
    const outcomes = [
      outcomeWith({ scenario: 'login-offline' }, { serverCpu: 100 }),
      outcomeWith({ scenario: 'login-offline', target: 'hydra' }, { serverCpu: 750 }),
      outcomeWith({ scenario: 'login-acr', target: 'hydra' }, { serverCpu: 750 }),
    ];
    const verdicts = judge(outcomes, (target) => (target === 'hydra' ? undefined : 'postgres'));
    expect(verdicts).toEqual([
      expect.objectContaining({ scenario: 'login-offline: CPU of Ory Hydra', measured: 7.5, isMet: true }),
    ]);
  });

  it('count CPU units by the yardstick of the same rounds', () => {
    const outcome = outcomeWith({ scenario: 'accept-login' }, { serverCpu: 50 }, { serverCpu: 20 });
    expect(judge([outcome], onPostgres)).toEqual([
      expect.objectContaining({ measured: 2.5, unit: 'CPU units', isMet: true, isAimReached: false }),
    ]);
  });

  it('are promised for the store they name', () => {
    const outcome = outcomeWith({ scenario: 'introspection' }, { perSecond: 900 });
    expect(judge([outcome], () => 'memory').map(({ isMet }) => isMet)).toEqual([false]);
    expect(judge([outcome], onPostgres).map(({ isMet }) => isMet)).toEqual([true]);
    expect(judge([outcome], () => 'redis')).toEqual([]);
  });

  it('say nothing of servers of others', () => {
    expect(judge([outcomeWith({ connections: 100 })], () => undefined)).toEqual([]);
  });

  it('hold the longest tail under 100 connections against its median', () => {
    const outcomes = [
      outcomeWith({ scenario: 'one', connections: 100 }, { p50: 1, p95: 2 }),
      outcomeWith({ scenario: 'other', connections: 100 }, { p50: 1, p95: 4 }),
      outcomeWith({ scenario: 'few', connections: 10 }, { p50: 1, p95: 9 }),
    ];
    expect(judge(outcomes, onPostgres)).toEqual([
      expect.objectContaining({ scenario: 'longest tail: other', measured: 4, isMet: false }),
    ]);
  });
});

describe('readings of studies', () => {
  const reading = { name: 'resident memory of a worker', target: 'postgres' };

  it('are at most what is promised', () => {
    const [well, badly] = judgeReadings([
      { ...reading, value: 110 },
      { ...reading, value: 151 },
    ]);
    expect(well).toMatchObject({ must: 'at most 150 MB', isMet: true, isAimReached: true });
    expect(badly).toMatchObject({ isMet: false, isAimReached: false });
    expect(() => judgeReadings([{ ...reading, name: 'nonsense', value: 1 }])).toThrow('nonsense');
  });

  it('replace those of the same figure', () => {
    const [earlier, later] = [judgeReadings([{ ...reading, value: 1 }]), judgeReadings([{ ...reading, value: 2 }])];
    expect(joinVerdicts(earlier, later)).toEqual(later);
    expect(joinVerdicts(earlier, judgeReadings([{ ...reading, target: 'redis', value: 2 }]))).toHaveLength(2);
  });
});
