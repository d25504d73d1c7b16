import type { LawOf } from '@carnet/adapter-contract/kit';

/** The store that a law checks. */
export interface LawSubject<Store> {
  /** The store under test. It may hold anything: a law looks only at records of its own, under new random ids. */
  readonly store: Store;
  /** A second instance on the same data, with a connection of its own; the same instance if there can be only one. */
  readonly other: Store;
}

/** One law of a port. */
export type Law<Store> = LawOf<LawSubject<Store>>;
