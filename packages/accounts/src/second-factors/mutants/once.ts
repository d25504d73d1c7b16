import type { Factor, FactorStore } from '../store.ts';
import { find, knowingAdded, type Mutant, overwrite, turn } from './mutant.ts';

const updating = (update: (store: FactorStore, factor: Factor) => Promise<boolean>): Mutant<FactorStore>['wrap'] => {
  return (store) => ({ ...store, update: (factor) => update(store, factor) });
};

export const onceMutants: readonly Mutant<FactorStore>[] = [
  {
    name: 'updates-the-counter-only',
    breaks: 'update-replaces-the-version-before',
    wrap: updating(async (store, factor) => {
      const stored = await find(store, factor);
      return stored ? store.update({ ...stored, counter: factor.counter, version: factor.version }) : false;
    }),
  },
  {
    name: 'updates-whatever-the-version',
    breaks: 'update-refuses-another-version',
    wrap: updating(async (store, factor) => ((await find(store, factor)) ? overwrite(store, factor) : false)),
  },
  {
    name: 'updates-any-older-version',
    breaks: 'update-refuses-another-version',
    wrap: updating(async (store, factor) => {
      const stored = await find(store, factor);
      return stored && stored.version < factor.version ? overwrite(store, factor) : false;
    }),
  },
  {
    name: 'adds-by-update',
    breaks: 'update-adds-nothing',
    wrap: updating(async (store, factor) => ((await find(store, factor)) ? store.update(factor) : store.add(factor))),
  },
  {
    name: 'moves-factors-to-other-subjects',
    breaks: 'update-keeps-the-owner',
    wrap: knowingAdded((store, added) => ({
      async update(factor) {
        const owner = added.get(factor.id)?.subject ?? factor.subject;
        if (!(await store.update({ ...factor, subject: owner }))) return false;
        if (owner === factor.subject) return true;
        await store.remove(owner, factor.id);
        return store.add(factor);
      },
    })),
  },
  {
    name: 'compares-the-version-before-it-writes',
    breaks: 'one-of-fifty-updates-wins',
    wrap: updating(async (store, factor) => {
      const stored = await find(store, factor);
      if (stored?.version !== factor.version - 1) return false;
      await turn();
      return overwrite(store, factor);
    }),
  },
  {
    name: 'claims-without-memory',
    breaks: 'claim-takes-an-id-once',
    wrap: (store) => ({ ...store, claim: async () => true }),
  },
  {
    name: 'claims-one-id-for-all',
    breaks: 'claim-takes-an-id-once',
    wrap: (store) => ({ ...store, claim: (_, expiresAt) => store.claim('the only id', expiresAt) }),
  },
  {
    name: 'looks-before-it-claims',
    breaks: 'one-of-fifty-claims-wins',
    wrap: (store) => {
      const claimed = new Set<string>();
      return {
        ...store,
        async claim(id) {
          if (claimed.has(id)) return false;
          await turn();
          claimed.add(id);
          return true;
        },
      };
    },
  },
];
