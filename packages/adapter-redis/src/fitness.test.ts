import { StoreUnfitError } from '@carnet/adapter-contract';
import { describe, expect, test } from 'vitest';
import { parseAddress } from './address.ts';
import { assertKnown, createKnown } from './fitness.ts';
import type { Findings } from './inspection.ts';

const master: Findings = {
  version: '7.0.15',
  role: 'master',
  evictionPolicy: 'noeviction',
  isClusterNode: false,
  isLoading: false,
  logsEveryWrite: true,
  syncsEveryWrite: false,
  replicas: 1,
  marker: null,
};
const sentinel = (query = '') => parseAddress(`redis-sentinel://127.0.0.1:26379/mymaster${query}`);

const promisesFor = (found: Partial<Findings>, query = '') => {
  const known = createKnown();
  assertKnown({ ...master, ...found }, sentinel(query), known);
  return known.promises;
};

describe('what is taken back never returns', () => {
  test('when every replica that may take over is waited for', () => {
    expect(promisesFor({}).neverRevives).toBe(true);
    expect(promisesFor({ replicas: 2 }, '?replicas=2').neverRevives).toBe(true);
    expect(promisesFor({ replicas: 0 }).neverRevives).toBe(true);
  });

  test('is not promised while one of them is not', () => {
    expect(promisesFor({ replicas: 2 }).neverRevives).toBe(false);
    expect(promisesFor({ replicas: 1 }, '?replicas=0').neverRevives).toBe(false);
  });

  test('is no longer kept when a replica is added that nobody waits for', () => {
    const known = createKnown();
    assertKnown(master, sentinel(), known);
    known.isDeclared = true;
    assertKnown({ ...master, replicas: 0 }, sentinel(), known);
    expect(() => assertKnown({ ...master, replicas: 2 }, sentinel(), known)).toThrow(StoreUnfitError);
  });
});
