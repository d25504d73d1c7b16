import { StoreUnfitError } from '@carnet/adapter-contract';
import { expect, test } from 'vitest';
import { parseOptions, toStartupOptions, toTransactionBegin } from './session-settings.ts';

test('parses the options of a session in each form that Postgres takes', () => {
  const options = '-c search_path=auth  -cjit=off --work-mem=4MB -c  application_name=a\\ b\\\\c=d';
  expect(parseOptions(options)).toEqual([
    ['search_path', 'auth'],
    ['jit', 'off'],
    ['work_mem', '4MB'],
    ['application_name', 'a b\\c=d'],
  ]);
  expect(parseOptions('')).toEqual([]);
  expect(parseOptions(toStartupOptions(parseOptions(options)))).toEqual(parseOptions(options));
});

test.each(['-c', 'jit=off', '-c jit', '-B 10', "-c a');drop table t;--=1", '-d -c jit=off'])(
  'refuses %s',
  (options) => {
    expect(() => parseOptions(options)).toThrow(StoreUnfitError);
  },
);

test('quotes the values of a transaction', () => {
  expect(toTransactionBegin([['search_path', `o'clock, "b"`]])).toBe(
    `begin isolation level repeatable read; select set_config('search_path', 'o''clock, "b"', true)`,
  );
});
