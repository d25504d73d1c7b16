import type { Factor, FactorStore } from '../store.ts';
import { find, knowingAdded, type Mutant, overwrite, turn } from './mutant.ts';

const changingList =
  (change: (factor: Factor) => Factor): Mutant<FactorStore>['wrap'] =>
  (store) => ({ ...store, list: async (subject) => (await store.list(subject)).map(change) });

export const factorMutants: readonly Mutant<FactorStore>[] = [
  {
    name: 'truncates-payloads',
    breaks: 'added-factor-is-read-whole',
    wrap: changingList((factor) => ({ ...factor, payload: factor.payload.slice(0, 1024) })),
  },
  {
    name: 'keeps-counters-in-32-bits',
    breaks: 'added-factor-is-read-whole',
    wrap: changingList((factor) => ({ ...factor, counter: factor.counter | 0 })),
  },
  {
    name: 'confirms-by-itself',
    breaks: 'added-factor-is-read-whole',
    wrap: changingList((factor) => ({ ...factor, confirmedAt: factor.confirmedAt ?? factor.createdAt })),
  },
  {
    name: 'adds-over-an-existing-id',
    breaks: 'add-refuses-an-existing-id',
    wrap: (store) => ({ ...store, add: (factor) => overwrite(store, factor) }),
  },
  {
    name: 'acknowledges-an-add-that-changed-nothing',
    breaks: 'add-refuses-an-existing-id',
    wrap: (store) => ({ ...store, add: async (factor) => (await store.add(factor)) || true }),
  },
  {
    name: 'looks-before-it-adds',
    breaks: 'one-of-fifty-adds-wins',
    wrap: (store) => ({
      ...store,
      async add(factor) {
        if (await find(store, factor)) return false;
        await turn();
        return overwrite(store, factor);
      },
    }),
  },
  {
    name: 'lists-one-factor',
    breaks: 'list-is-of-one-subject',
    wrap: (store) => ({ ...store, list: async (subject) => (await store.list(subject)).slice(0, 1) }),
  },
  {
    name: 'finds-any-kind-as-a-passkey',
    breaks: 'passkey-is-found-by-its-id',
    wrap: knowingAdded((store, added) => ({
      findPasskey: async (id) => (await store.findPasskey(id)) ?? added.get(id),
    })),
  },
  {
    name: 'hides-removed-factors-from-lists-only',
    breaks: 'removed-factor-is-gone',
    wrap: (store) => {
      const removed = new Set<string>();
      return {
        ...store,
        list: async (subject) => (await store.list(subject)).filter(({ id }) => !removed.has(id)),
        async remove(subject, id) {
          const owned = (await store.list(subject)).some((factor) => factor.id === id);
          if (owned) removed.add(id);
          return owned;
        },
      };
    },
  },
  {
    name: 'removes-for-any-subject',
    breaks: 'remove-needs-the-owner',
    wrap: knowingAdded((store, added) => ({ remove: (_, id) => store.remove(added.get(id)?.subject ?? '', id) })),
  },
  {
    name: 'removes-all-but-the-last',
    breaks: 'remove-all-counts-and-spares-others',
    wrap: (store) => ({
      ...store,
      async removeAll(subject) {
        const factors = await store.list(subject);
        for (const { id } of factors.slice(1)) await store.remove(subject, id);
        return factors.length;
      },
    }),
  },
];
