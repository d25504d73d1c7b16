import pg from 'pg';
import { expect, test } from 'vitest';
import { changedNothing } from './faults.ts';

const said = (code: string): Error => Object.assign(new pg.DatabaseError('said', 4, 'error'), { code });

test.each([
  ['40001', true, 'it ran into another transaction'],
  ['57014', true, 'it took too long'],
  ['22012', true, 'a condition did not hold'],
  ['40003', false, 'CockroachDB does not know what became of it'],
  ['57P01', false, 'the server went down'],
])('after %s it is certain that nothing was done: %s, for %s', (code, isCertain) => {
  expect(changedNothing(said(code))).toBe(isCertain);
});

test('after a connection was lost nothing is certain', () => {
  expect(changedNothing(new Error('Connection terminated unexpectedly'))).toBe(false);
});
