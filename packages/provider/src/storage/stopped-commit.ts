import { type Conflict, keyOfWrite, type Write } from '@carnet/adapter-contract';

/** A commit that a conflict has stopped. */
export interface StoppedCommit {
  readonly conflict: Conflict;
  /** The other writes of the commit that the store did not carry out. */
  readonly undone: readonly Write[];
}

/** The name of a conflict by its write and kind of record, such as `claim:replay` or `consume:refresh_token`. */
export const conflictName = ({ write }: Conflict): string =>
  write.type === 'revoke' ? 'revoke' : `${write.type}:${keyOfWrite(write).kind}`;
