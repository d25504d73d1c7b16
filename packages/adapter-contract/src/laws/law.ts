import type { LawOf } from '../kit/law.ts';
import type { Capabilities, StorageAdapter } from '../port.ts';

/** The store that a law checks. */
export interface LawSubject {
  /** The store under test. It may hold anything: a law looks only at records it made itself, under fresh random ids. */
  readonly store: StorageAdapter;
  /** Open one more adapter in the same way; the law closes it. On the same store if that is `shared` or `durable`. */
  open(): Promise<StorageAdapter>;
}

/** One law of the storage port. It binds every adapter that declares the capabilities it needs. */
export type Law = LawOf<LawSubject, Partial<Capabilities>>;

/** The laws by their names. */
export const lawsOf = (byName: Readonly<Record<string, Omit<Law, 'name'>>>): readonly Law[] =>
  Object.entries(byName).map(([name, law]) => ({ name, ...law }));
