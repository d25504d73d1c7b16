import { describe, expect, it } from 'vitest';
import type { Round } from '../measure.ts';
import { type Contestant, peerTable, settingsTable, warmUpTable } from './peers-table.ts';

const round = (serverCpu: number): Round => ({
  ...{ perSecond: 100, p50: 1, p95: 2, p99: 3 },
  ...{ serverCpu, storeCpu: serverCpu / 10, generatorCpu: 1 },
});

const contestant = (name: string, cpu: readonly number[]): Contestant => ({
  login: { name, title: name, password: 'none' },
  target: { name: 'server', settings: { workers: 2 } },
  warmUps: [900, 500],
  rounds: cpu.map(round),
});

const all = [contestant('carnet', [100, 200, 400]), contestant('hydra', [700, 1_400, 3_200])];

describe('the tables of peers', () => {
  it('state CPU time relative to the yardstick and to the first server of the same round', () => {
    const [head, ours, theirs] = peerTable(all, [10, 20, 40]);
    expect(head?.slice(0, 3)).toEqual(['login', 'password', 'CPU units']);
    expect(ours).toEqual(['carnet', 'none', '10.0', '200', '20', '100', '1.00', '1.0 to 1.0']);
    expect(theirs).toEqual(['hydra', 'none', '70.0', '1400', '140', '100', '7.00', '7.0 to 8.0']);
  });

  it('list each round of the warm-up, and each server once', () => {
    expect(warmUpTable(all).at(-1)).toEqual(['hydra', '900 500']);
    expect(settingsTable(all)).toEqual([
      ['server', 'settings'],
      ['server', 'workers 2'],
    ]);
  });
});
