import { type Deadline, repeat } from '@carnet/adapter-contract/kit';
import type { Connection } from './connection.ts';
import { isCollision, isOutage } from './faults.ts';
import type { Encoding } from './item.ts';

/** A call of the storage port, and its surroundings. */
export interface CallContext {
  readonly connection: Connection;
  readonly table: string;
  /** The clock that expiry is held against, in milliseconds since the epoch. */
  readonly now: () => number;
  readonly deadline: Deadline;
  /** Whether Carnet removes expired records itself, by the index `sweep`. */
  readonly isSwept: boolean;
  /** Work in the background. It gets a deadline of its own. */
  later(work: (context: CallContext) => Promise<void>): void;
}

export const encodingOf = ({ now, isSwept }: CallContext, version: string): Encoding => ({
  version,
  now: now(),
  isSwept,
});

/** Makes a call that has the same effect if it is sent twice, and repeats it after errors that may pass. */
export const repeatCall = <T>(call: () => Promise<T>, { deadline }: CallContext): Promise<T> =>
  repeat(call, deadline, { isCollision, isOutage });
