import { describe, expect, it } from 'vitest';
import { login, loginDpop, loginOffline } from '../scenarios/logins.ts';
import type { Target } from '../targets/target.ts';
import { relativeReadings, relativeTable } from './relative-table.ts';

const targetOf = (name: string) => ({ name }) as Target;
const [older, newer] = [targetOf('old'), targetOf('new')];
const rounds = (first: readonly number[], second: readonly number[]) =>
  new Map([
    [older, first],
    [newer, second],
  ]);

const measured = {
  targets: [older, newer],
  crypto: [50, 500, 50].map((proof) => ({ signature: 20, proof })),
  rows: [
    // The second round of both is slow, as on a busy machine.
    { scenario: login, baseline: login, cpu: rounds([100, 1_000, 100], [80, 800, 80]) },
    { scenario: loginOffline, baseline: login, cpu: rounds([200, 2_000, 200], [100, 1_000, 100]) },
    { scenario: loginDpop, baseline: login, extra: 'proof' as const, cpu: new Map([[newer, [150, 1_500, 150]]]) },
  ],
};

describe('the table of relative cost', () => {
  it('has medians of the quotients of each round, and the quotient of the servers', () => {
    const [, plain, offline] = relativeTable(measured);
    expect(plain).toEqual(['login', '100', '1', '', '', '80.0', '1', '', '', '0.80', '0.00']);
    expect(offline).toEqual(['login-offline', '200', '2.00', '0.00', '', '100', '1.25', '0.00', '', '0.50', '0.00']);
  });

  it('leaves out a server that cannot run a scenario, and cryptography that the simplest does not need', () => {
    expect(relativeTable(measured)[3]).toEqual([
      'login-dpop',
      '-',
      '-',
      '-',
      '-',
      '150',
      '1.88',
      '0.00',
      '1.25',
      '-',
      '-',
    ]);
  });

  it('gives readings of the figures', () => {
    expect(relativeReadings(measured, newer)).toEqual([
      { name: 'CPU of login-offline', target: 'new', value: 1.25 },
      { name: 'CPU of login-dpop', target: 'new', value: 1.25 },
    ]);
  });
});
