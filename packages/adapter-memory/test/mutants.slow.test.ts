import type { StorageAdapter } from '@carnet/adapter-contract';
import { checkLaws, type Law, laws } from '@carnet/adapter-contract/laws';
import { atomicByGrant, mutants } from '@carnet/adapter-contract/mutants';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import { describe, expect, test } from 'vitest';

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
  const isBound = ({ needs }: Law) => (needs?.atomicCommit ?? atomicCommit) === atomicCommit;

  test('keeps every law, but for those of the other level, when it is correct', async () => {
    const verdicts = await checkLaws(createStore());
    const reason = `the adapter declares atomicCommit: ${atomicCommit}`;
    expect(verdicts).toEqual(
      laws.map((law) =>
        isBound(law) ? { law: law.name, outcome: 'kept' } : { law: law.name, outcome: 'skipped', reason },
      ),
    );
  });

  const cases = mutants.flatMap((mutant) => {
    const law = laws.find(({ name }) => name === mutant.breaks);
    return law && isBound(law) ? [{ ...mutant, law }] : [];
  });
  test.for(cases)('$breaks catches $name', async ({ law, wrap }) => {
    const openCorrect = createStore();
    const open = async () => wrap(await openCorrect());
    const error = await law.check({ store: await open(), open }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    // A bug in the law or the mutant is no proof.
    expect(error).not.toBeInstanceOf(TypeError);
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
