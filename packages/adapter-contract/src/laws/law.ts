import type { Capabilities, StorageAdapter } from '../port.ts';

/** The store that a law checks. */
export interface LawSubject {
  /** The store under test. It may hold anything: a law looks only at records it made itself, under fresh random ids. */
  readonly store: StorageAdapter;
  /** Open one more adapter in the same way; the law closes it. On the same store if that is `shared` or `durable`. */
  open(): Promise<StorageAdapter>;
}

/** One law of the storage port. */
export interface Law {
  /** Kebab-case, unique. */
  readonly name: string;
  /** The law in one sentence. */
  readonly says: string;
  /** The capabilities it presupposes: it binds every adapter that declares them. */
  readonly needs?: Partial<Capabilities>;
  /** Throws an Error that says what was expected and what came if the store breaks the law. */
  check(subject: LawSubject): Promise<void>;
}
