import type { StorageAdapter } from '@carnet/adapter-contract';
import { checkLaws, laws } from '@carnet/adapter-contract/laws';
import { mutants } from '@carnet/adapter-contract/mutants';
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
      capabilities: { atomicCommit: 'all', shared: true, durable: true },
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

const mutantNamed = (name: string) => mutants.find((mutant) => mutant.name === name);

test('a correct adapter with every capability keeps every law', async () => {
  const verdicts = await checkLaws(createSharedStore());
  expect(verdicts).toEqual(laws.map(({ name }) => ({ law: name, outcome: 'kept' })));
});

test('an adapter that is atomic by grant, and says so, is bound by every law but the one on other grants', async () => {
  const open = createSharedStore();
  const openByGrant = async (): Promise<StorageAdapter> => {
    const store = mutantNamed('is-atomic-by-grant-alone')?.wrap(await open());
    if (!store) throw new Error('The mutant that is atomic by grant is gone.');
    return { ...store, capabilities: { ...store.capabilities, atomicCommit: 'grant' } };
  };
  const verdicts = await checkLaws(openByGrant);
  expect(verdicts.filter(({ outcome }) => outcome !== 'kept')).toEqual([
    { law: 'conflict-undoes-other-grants', outcome: 'skipped', reason: 'the adapter declares atomicCommit: grant' },
  ]);
});

test('checkLaws says which law a broken store breaks, and how', async () => {
  const open = createSharedStore();
  const wrap = mutantNamed('reads-at-most-999-keys')?.wrap;
  const verdicts = await checkLaws(async () => wrap?.(await open()) ?? open());
  expect(verdicts.filter(({ outcome }) => outcome !== 'kept')).toEqual([
    {
      law: 'read-takes-any-number-of-keys',
      outcome: 'broken',
      error: new Error('the length of the answer to 1,500 keys: expected 1500, got 999'),
    },
  ]);
});

describe('every broken store is caught by the law named for it', () => {
  test.for(mutants)('$breaks catches $name', async ({ breaks, wrap }) => {
    const openCorrect = createSharedStore();
    const open = async () => wrap(await openCorrect());
    const law = laws.find(({ name }) => name === breaks);
    const error = await law?.check({ store: await open(), open }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    // A bug in the law or the mutant is no proof.
    expect(error).not.toBeInstanceOf(TypeError);
  });
});
