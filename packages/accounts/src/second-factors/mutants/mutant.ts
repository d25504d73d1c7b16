import { setImmediate } from 'node:timers/promises';

/** A deliberately broken store: any correct store, with one mistake around it. */
export interface Mutant<Store> {
  /** Kebab-case, unique: the mistake. */
  readonly name: string;
  /** The law that has to catch it. */
  readonly breaks: string;
  wrap(store: Store): Store;
}

/** Waits until the other callers have run. */
export const turn = (): Promise<void> => setImmediate();
