import { describe, expect, it } from 'vitest';
import { assumptions } from './assumptions.ts';
import { type MeasuredCosts, type OperationCost, operationNames } from './costs.ts';
import { demandOn, forecast, type KindForecast } from './forecast.ts';
import { currentPolicy, dayCurve, earlierPolicy, type SimulationInput, simulate } from './simulate.ts';
import { duration, short } from './tables.ts';

const nothing: OperationCost = {
  statements: 0,
  walBytes: 0,
  carnetMicroseconds: 0,
  postgresMicroseconds: 0,
  rows: [],
};

const sweep = { batchSeconds: 0.05, secondsPerDeadRow: 25e-9, walBytes: 100, postgresMicroseconds: 10 };

/** Each login writes a grant for an hour, and nothing else costs anything. */
const costs: MeasuredCosts = {
  operations: {
    ...(Object.fromEntries(operationNames.map((name) => [name, nothing])) as MeasuredCosts['operations']),
    login: {
      ...nothing,
      walBytes: 900,
      carnetMicroseconds: 2_000,
      postgresMicroseconds: 300,
      rows: [{ kind: 'grant', count: 1, lifetimeSeconds: 3_600, heapBytes: 200 }],
    },
  },
  table: { rows: 1_000, indexBytes: 250, subjectIndexBytes: 50, imageBytes: 100, sweep },
};

describe('a forecast', () => {
  const given = {
    ...assumptions,
    // 1,000 a second.
    loginsPerMonth: 2.592e9,
    mix: { ...assumptions.mix, login: 1 },
    deadShare: 0.1,
    peakFactor: 2,
    busyShare: 0.5,
    poolSize: 10,
  };

  it('multiplies the costs by rates and lifetimes', () => {
    expect(forecast(costs, given)).toMatchObject({
      loginsPerSecond: 1_000,
      peakLoginsPerSecond: 2_000,
      rowsAlive: 3_600_000,
      rowsRemovedPerSecond: 1_000,
      // 500 bytes a row, a tenth of them removed rows.
      diskBytes: expect.closeTo(3_600_000 * 500 * 1.1, 0),
      walBytesPerSecond: 2_000 * 1_000 + 1_000 * 100,
      postgresCores: expect.closeTo(0.61, 5),
      carnetCores: 4,
      processes: 8,
      connections: 80,
    });
  });

  it('takes other lifetimes, and names the limit that is reached first', () => {
    const shorter = forecast(costs, { ...given, lifetimes: { grant: 600 } });
    expect(shorter.rowsAlive).toBe(600_000);
    const limits = { diskBytes: 1e9, walBytesPerSecond: 1e6, postgresCores: 1, connections: 100 };
    expect(demandOn(shorter, limits)[0]).toEqual(['walBytesPerSecond', 2.1]);
  });
});

const kind = (rowsPerSecond: number, lifetimeSeconds: number): KindForecast => ({
  kind: 'grant',
  rowsPerSecond,
  lifetimeSeconds,
  rowsAlive: rowsPerSecond * lifetimeSeconds,
  bytesPerRow: 500,
});

describe('a simulation', () => {
  const input: SimulationInput = {
    kinds: [kind(1_000, 2 * 86_400)],
    days: 10,
    peakFactor: 3,
    processes: 4,
    sweep,
    policy: currentPolicy,
    deadShare: 0.02,
    vacuumBytesPerSecond: 400e6,
  };

  it('has a day with the given peak, and the average 1', () => {
    const curve = dayCurve(3);
    expect(Math.max(...curve)).toBeCloseTo(3, 2);
    expect(curve.reduce((sum, value) => sum + value, 0) / curve.length).toBeCloseTo(1, 6);
  });

  it('ends with the rows of one lifetime, and the sweep keeps up', () => {
    const { rowsAlive, keepsUp, vacuums } = simulate(input);
    expect(rowsAlive).toBeCloseTo(1_000 * 2 * 86_400, -3);
    expect(keepsUp).toBe(true);
    expect(vacuums).toBeGreaterThan(1);
  });

  it('falls behind without end if fewer rows are removed than expire', () => {
    const slow = { ...input, sweep: { ...sweep, batchSeconds: 4 } };
    const [short, long] = [simulate(slow), simulate({ ...slow, days: 20 })];
    expect(short.keepsUp).toBe(false);
    expect(long.backlog).toBeGreaterThan(1.5 * short.backlog);
  });

  it('shows that 50 batches a minute are too few for 4 processes at 3,500 rows a second', () => {
    const more = { ...input, kinds: [kind(3_500, 86_400)] };
    expect(simulate(more).keepsUp).toBe(true);
    expect(simulate({ ...more, policy: earlierPolicy }).keepsUp).toBe(false);
  });
});

describe('the tables', () => {
  it.each([
    [0, '0'],
    [950, '950'],
    [1_234, '1.2 k'],
    [7_000_000, '7 M'],
  ])('write %d as %s', (value, text) => expect(short(value)).toBe(text));

  it.each([
    [3_600, '1 h'],
    [2_592_000, '30 d'],
  ])('write %d seconds as %s', (seconds, text) => expect(duration(seconds)).toBe(text));
});
