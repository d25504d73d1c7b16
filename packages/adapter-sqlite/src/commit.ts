import type { Conflict, ConflictReason, Write } from '@carnet/adapter-contract';
import { contentOf, keyOf, membersOf, toTime } from './record.ts';
import type { Statements } from './statements.ts';

/** A write with its parameters bound: carries itself out, within a transaction, or says why it can't. */
type Step = (statements: Statements, now: number) => ConflictReason | undefined;

/** A commit that is ready to be carried out: later changes of the caller to its writes have no effect. */
export type BoundCommit = readonly { readonly write: Write; readonly step: Step }[];

type WriteOf<T extends Write['type']> = Extract<Write, { type: T }>;

const bind: { readonly [T in Write['type']]: (write: WriteOf<T>) => Step } = {
  put({ record, onlyIfPresent }) {
    const [key, content] = [keyOf(record), contentOf(record)];
    if (!onlyIfPresent) return ({ put }) => void put.run(...key, ...content);
    return ({ replace }, now) => (replace.run(...content, ...key, now) === 1 ? undefined : 'absent');
  },
  remove({ key }) {
    const bound = keyOf(key);
    return ({ remove }) => void remove.run(...bound);
  },
  claim({ record }) {
    const bound = [...keyOf(record), ...contentOf(record)];
    return ({ claim }, now) => (claim.run(...bound, now) === 1 ? undefined : 'exists');
  },
  consume({ key, at }) {
    const [bound, time] = [keyOf(key), toTime(at)];
    return ({ consume, read }, now) => {
      if (consume.run(time, ...bound, now) === 1) return undefined;
      return read.first(...bound, now) === undefined ? 'absent' : 'consumed';
    };
  },
  // The transaction holds the only write lock of the file, so that no other process changes the read rows before the
  // write.
  merge({ key, members, expiresAt }) {
    const [bound, added, time] = [keyOf(key), [...members], expiresAt === undefined ? null : toTime(expiresAt)];
    return ({ read, merge }, now) => {
      const row = read.first(...bound, now);
      if (row === undefined) return 'absent';
      if (row.consumed_at !== null) return 'consumed';
      const merged = new Set([...membersOf(row.members), ...added]);
      merge.run(JSON.stringify([...merged]), time, ...bound);
      return undefined;
    };
  },
  revoke({ grantId }) {
    return ({ revoke }) => void revoke.run(grantId);
  },
};

/** Throws a RangeError for an invalid date. */
export const bindCommit = (writes: readonly Write[]): BoundCommit =>
  writes.map((write) => ({ write, step: (bind[write.type] as (write: Write) => Step)(write) }));

/** Within a transaction. After a conflict the writes before it stand until they are rolled back. */
export const carryOut = (statements: Statements, commit: BoundCommit, now: number): Conflict | undefined => {
  for (const { write, step } of commit) {
    const reason = step(statements, now);
    if (reason !== undefined) return { write, reason };
  }
  return undefined;
};
