import type { LawOf } from '@carnet/adapter-contract/kit';
import type { KeyWrapper, RemoteKey, RemoteSigner } from '../port.ts';

/** The faults that a test can cause at the service. A law is skipped if the test cannot cause its fault. */
export interface Service {
  /** Credentials of the subject. No error may contain them. */
  readonly credentials?: readonly string[];
  /** Makes every call fail until the returned function ends the outage. */
  interrupt?(): Promise<() => Promise<void>>;
  /** Leaves every call without an answer until the returned function ends that. */
  stall?(): Promise<() => Promise<void>>;
  /** Ends the sessions, or has the credential expire that the subject received from the service. */
  endSessions?(): Promise<void>;
}

/** The signer that a law checks. It lists at least one key. */
export interface SignerSubject extends Service {
  readonly signer: RemoteSigner;
  /** Opens another signer in the same way, on the same keys. The law closes it. */
  open(): Promise<RemoteSigner>;
  /** Set if the service signs with a key of its own choice and names it in the result (Google's IAM). */
  readonly serviceChoosesKey?: true;
  /** Adds a newer version of this key, or a newer key of this algorithm. */
  rotate?(key: RemoteKey): Promise<void>;
  /** Disables this key version. The law calls it for a key that `rotate` added. */
  disable?(key: RemoteKey): Promise<void>;
}

/** The key wrapper that a law checks. */
export interface WrapperSubject extends Service {
  readonly wrapper: KeyWrapper;
  /** Opens another key wrapper in the same way, on the same key. The law closes it. */
  open(): Promise<KeyWrapper>;
  /** Rotates the key: later calls of `wrap` use a newer version. */
  rotate?(): Promise<void>;
}

/** `choice`: the caller chooses the key, which is so unless the subject sets `serviceChoosesKey`. */
export type SignerLaw = LawOf<
  SignerSubject,
  readonly ('choice' | 'rotate' | 'disable' | 'interrupt' | 'stall' | 'endSessions')[]
>;

export type WrapperLaw = LawOf<WrapperSubject, readonly ('rotate' | 'interrupt' | 'stall' | 'endSessions')[]>;

/** The laws by their names. */
export const lawsOf = <Subject, Needs>(
  byName: Readonly<Record<string, Omit<LawOf<Subject, Needs>, 'name'>>>,
): readonly LawOf<Subject, Needs>[] => Object.entries(byName).map(([name, law]) => ({ name, ...law }));
