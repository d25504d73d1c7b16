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

describe('the promise that revoked records never return', () => {
  test('holds when each commit waits for every replica that may take over', () => {
    expect(promisesFor({}).neverRevives).toBe(true);
    expect(promisesFor({ replicas: 2 }, '?replicas=2').neverRevives).toBe(true);
    expect(promisesFor({ replicas: 0 }).neverRevives).toBe(true);
  });

  test('does not hold while a commit may miss a replica that takes over', () => {
    expect(promisesFor({ replicas: 2 }).neverRevives).toBe(false);
    expect(promisesFor({ replicas: 1 }, '?replicas=0').neverRevives).toBe(false);
  });

  test('ends when a replica is added that no commit waits for', () => {
    const known = createKnown();
    assertKnown(master, sentinel(), known);
    known.isDeclared = true;
    assertKnown({ ...master, replicas: 0 }, sentinel(), known);
    expect(() => assertKnown({ ...master, replicas: 2 }, sentinel(), known)).toThrow(StoreUnfitError);
  });
});
