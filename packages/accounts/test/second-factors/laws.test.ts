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
    it('have unique names in kebab-case and one sentence each', () => {
      const named = [...laws, ...mutants].map(({ name }) => name);
      expect(named.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
      expect(new Set(named).size).toBe(named.length);
      expect(laws.filter(({ says }) => !/^[A-Z][^.]*\.$/.test(says))).toEqual([]);
    });

    it('each have a mutant, and each mutant has a law', () => {
      expect([...new Set(mutants.map(({ breaks }) => breaks))].toSorted()).toEqual(
        laws.map(({ name }) => name).toSorted(),
      );
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
