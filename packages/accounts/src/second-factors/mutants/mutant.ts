import { setImmediate } from 'node:timers/promises';
import type { MutantOf } from '@carnet/adapter-contract/kit';

/** A deliberately broken store: any correct store, with one mistake around it. */
export interface Mutant<Store> extends MutantOf {
  wrap(store: Store): Store;
}

/** Waits until the other callers have run. */
export const turn = (): Promise<void> => setImmediate();
