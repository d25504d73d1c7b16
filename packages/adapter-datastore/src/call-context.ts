import type { Deadline } from '@carnet/adapter-contract/kit';
import type { Connection } from './connection.ts';
import type { Keys } from './keys.ts';
import type { InTurn, JoinRevocation } from './turns.ts';

/** A call of the storage port, and its surroundings. */
export interface CallContext {
  readonly connection: Connection;
  readonly keys: Keys;
  /** The clock that expiry is held against, in milliseconds since the epoch. */
  readonly now: () => number;
  readonly deadline: Deadline;
  /** Whether Carnet removes expired records, by an index. Otherwise the database does. */
  readonly isSwept: boolean;
  readonly inTurn: InTurn;
  readonly joinRevocation: JoinRevocation;
}
