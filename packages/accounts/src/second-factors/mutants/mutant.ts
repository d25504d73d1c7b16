import { setImmediate } from 'node:timers/promises';
import type { MutantOf } from '@carnet/adapter-contract/kit';
import type { Factor, FactorStore } from '../store.ts';

/** A deliberately broken store: any correct store, with one mistake around it. */
export interface Mutant<Store> extends MutantOf {
  wrap(store: Store): Store;
}

/** Waits until the other callers have run. */
export const turn = (): Promise<void> => setImmediate();

/** The stored version of a factor. */
export const find = async (store: FactorStore, { subject, id }: Factor): Promise<Factor | undefined> =>
  (await store.list(subject)).find((factor) => factor.id === id);

/** Replaces the stored factor, whatever its version. */
export const overwrite = async (store: FactorStore, factor: Factor): Promise<boolean> => {
  await store.remove(factor.subject, factor.id);
  return store.add(factor);
};

/** A mistake that needs to know which factors were added. */
export const knowingAdded =
  (mistake: (store: FactorStore, added: ReadonlyMap<string, Factor>) => Partial<FactorStore>) =>
  (store: FactorStore): FactorStore => {
    const added = new Map<string, Factor>();
    return {
      ...store,
      add: (factor) => {
        added.set(factor.id, factor);
        return store.add(factor);
      },
      ...mistake(store, added),
    };
  };
