import type { StorageAdapter } from '@carnet/adapter-contract';
import { checkLaws, laws } from '@carnet/adapter-contract/laws';
import { atomicByGrant, mutants } from '@carnet/adapter-contract/mutants';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import { describe, expect, test } from 'vitest';
import { casesFor, expectBroken, isFor } from '../../adapter-contract/test/laws.ts';

/** Several adapters on one memory store: with every capability, so that every law binds. */
const createSharedStore = () => {
  const memory = openMemoryAdapter();
  return async (): Promise<StorageAdapter> => {
    let closed = false;
    const whileOpen = async <T>(call: () => Promise<T>): Promise<T> => {
      if (closed) throw new Error('This adapter is closed.');
      return call();
    };
    return {
      capabilities: { atomicCommit: 'all', shared: true, durable: true, neverRevives: true },
      read: (keys) => whileOpen(() => memory.read(keys)),
      commit: (writes) => whileOpen(() => memory.commit(writes)),
      list: (query) => whileOpen(() => memory.list(query)),
      scan: (query) => whileOpen(() => memory.scan(query)),
      sweep: (limit) => whileOpen(() => memory.sweep(limit)),
      ping: () => whileOpen(() => memory.ping()),
      close: async () => {
        closed = true;
      },
    };
  };
};

/** The same, atomic by grant. */
const createStoreByGrant = () => {
  const open = createSharedStore();
  return async (): Promise<StorageAdapter> => atomicByGrant(await open());
};

describe.each([
  ['all', createSharedStore],
  ['grant', createStoreByGrant],
] as const)('a store whose commits are atomic by: %s', (atomicCommit, createStore) => {
  test('keeps every law, but for those of the other level, when it is correct', async () => {
    const verdicts = await checkLaws(createStore());
    const reason = `the adapter declares atomicCommit: ${atomicCommit}`;
    expect(verdicts).toEqual(
      laws.map((law) =>
        isFor(law, atomicCommit) ? { law: law.name, outcome: 'kept' } : { law: law.name, outcome: 'skipped', reason },
      ),
    );
  });

  test.for(casesFor(atomicCommit))('$breaks catches $name', async ({ law, wrap }) => {
    const openCorrect = createStore();
    const open = async () => wrap(await openCorrect());
    await expectBroken(law, { store: await open(), open });
  });
});

test('checkLaws says which law a broken store breaks, and how', async () => {
  const open = createSharedStore();
  const wrap = mutants.find(({ name }) => name === 'reads-at-most-999-keys')?.wrap;
  const verdicts = await checkLaws(async () => wrap?.(await open()) ?? open());
  expect(verdicts.filter(({ outcome }) => outcome === 'broken')).toEqual([
    {
      law: 'read-takes-any-number-of-keys',
      outcome: 'broken',
      error: new Error('the length of the answer to 1,500 keys: expected 1500, got 999'),
    },
  ]);
});
