import { problemsIn } from '@carnet/adapter-contract/kit';
import { describe, expect, it } from 'vitest';
import { attemptLaws, factorStoreLaws, type Law } from '../../src/second-factors/laws.ts';
import { createMemoryAttemptStore } from '../../src/second-factors/memory/attempts.ts';
import { createMemoryFactorStore } from '../../src/second-factors/memory/factors.ts';
import { attemptMutants, factorStoreMutants, type Mutant } from '../../src/second-factors/mutants.ts';

const suite = <Store>(
  port: string,
  create: () => Store,
  laws: readonly Law<Store>[],
  mutants: readonly Mutant<Store>[],
): void => {
  describe(`the laws of ${port}`, () => {
    it('are one sentence each, with unique names and a mutant each', () => {
      expect(problemsIn(laws, mutants)).toEqual([]);
    });

    it.each(laws)('$name: $says', async ({ check }) => {
      const store = create();
      await check({ store, other: store });
    });

    it.each(mutants)('$name breaks $breaks', async ({ breaks, wrap }) => {
      const store = wrap(create());
      const law = laws.find(({ name }) => name === breaks);
      await expect(law?.check({ store, other: store })).rejects.toThrow(/expected/);
    });
  });
};

suite('FactorStore', () => createMemoryFactorStore(), factorStoreLaws, factorStoreMutants);
suite('AttemptStore', () => createMemoryAttemptStore(), attemptLaws, attemptMutants);
