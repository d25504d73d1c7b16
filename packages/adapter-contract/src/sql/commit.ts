import { keysOf, nameOfRecord } from '../apply-writes.ts';
import type { Conflict, FoundRecord, RecordKey, Write } from '../port.ts';
import { type Deadline, NotSentError } from './deadline.ts';
import { type Folded, foldWrites, type Judge } from './fold.ts';

export interface RunOptions {
  readonly deadline: Deadline;
  /** Whether running it twice comes to the same as once. */
  readonly isRepeatable: boolean;
  /** Whether it is left to the caller what to do when it ran into another transaction. Default: it is tried again. */
  readonly throwsCollisions?: boolean;
  /** Asked when there is a connection, right before anything is sent. Default: it is still awaited. */
  readonly isAwaited?: () => boolean;
}

export interface ReadOptions {
  readonly now: number;
  readonly deadline: Deadline;
}

/** The statements of a database. */
export interface CommitStore<Prepared> {
  /** The SQL of the net effect of commits. Law: all or nothing, and an error that `isRefusal` if a condition fails. */
  prepare(folded: Folded, now: number): Prepared;
  run(prepared: Prepared, options: RunOptions): Promise<unknown>;
  /** The records of the keys that are live at `now`, in the order of the keys. */
  read(keys: readonly RecordKey[], options: ReadOptions): Promise<readonly (FoundRecord | undefined)[]>;
  /** Whether the error says that a condition of a commit failed. */
  isRefusal(error: unknown): boolean;
  /** Whether the error says that the statement had no effect, and another one may succeed. */
  changedNothing(error: unknown): boolean;
}

interface CommitOptions {
  readonly now: () => number;
  readonly deadline: Deadline;
  /** See `RunOptions`. */
  readonly isAwaited?: () => boolean;
}

/** Whether it comes to the same when it is carried out twice. What is put for a grant might outlive its revocation. */
export const isRepeatable = (writes: readonly Write[]): boolean =>
  writes.every(
    (write) =>
      write.type === 'remove' ||
      write.type === 'revoke' ||
      (write.type === 'put' && !write.onlyIfPresent && write.record.grantId === undefined),
  );

const createJudge = (found: readonly (FoundRecord | undefined)[]): Judge => {
  const standing = new Map(found.flatMap((record) => (record ? [[nameOfRecord(record), record]] : [])));
  return (key, requirement) => {
    const record = standing.get(nameOfRecord(key));
    if (requirement === 'nothing') return undefined;
    if (requirement === 'absent') return record && 'exists';
    if (record === undefined) return 'absent';
    return requirement === 'usable' && record.consumedAt !== null ? 'consumed' : undefined;
  };
};

/** Which write can't be carried out as things stand. */
const diagnose = async (
  store: Pick<CommitStore<unknown>, 'read'>,
  writes: readonly Write[],
  { now, deadline }: CommitOptions,
): Promise<Conflict | undefined> => {
  const instant = now();
  const found = await store.read(keysOf(writes), { now: instant, deadline });
  const folded = foldWrites(writes, instant, createJudge(found));
  return 'reason' in folded ? folded : undefined;
};

/** The net effect of commits of different records. Undefined if one of them contradicts itself. */
const foldAll = (commits: readonly (readonly Write[])[], instant: number): Folded | undefined => {
  const all: Folded[] = [];
  for (const writes of commits) {
    const folded = foldWrites(writes, instant);
    if ('reason' in folded) return undefined;
    all.push(folded);
  }
  return { effects: all.flatMap(({ effects }) => effects), grantIds: all.flatMap(({ grantIds }) => grantIds) };
};

/** The SQL for all; undefined if one of several commits cannot be sent. Each is then sent by itself. */
const prepareAll = <Prepared>(
  store: Pick<CommitStore<Prepared>, 'prepare'>,
  commits: readonly (readonly Write[])[],
  instant: number,
): Prepared | undefined => {
  const folded = foldAll(commits, instant);
  if (folded === undefined) return undefined;
  try {
    return store.prepare(folded, instant);
  } catch (error) {
    if (commits.length > 1) return undefined;
    throw error;
  }
};

/**
 * Carries out commits that have no record in common, together. Returns whether they were carried out. If a condition
 * failed, or all calls have timed out, none of them was. After a collision with another transaction, only a single
 * commit is repeated.
 */
export const tryCommits = async <Prepared>(
  store: CommitStore<Prepared>,
  commits: readonly (readonly Write[])[],
  { now, deadline, isAwaited }: CommitOptions,
): Promise<boolean> => {
  const prepared = prepareAll(store, commits, now());
  if (prepared === undefined) return false;
  const options = {
    deadline,
    isRepeatable: commits.every(isRepeatable),
    throwsCollisions: commits.length > 1,
    isAwaited,
  };
  try {
    await store.run(prepared, options);
    return true;
  } catch (error) {
    if (store.isRefusal(error) || error instanceof NotSentError) return false;
    throw error;
  }
};

/** One round trip; a conflict takes a second one, which finds its name. What has changed in between is tried again. */
export const commitWrites = async <Prepared>(
  store: CommitStore<Prepared>,
  writes: readonly Write[],
  options: CommitOptions,
): Promise<Conflict | undefined> => {
  for (;;) {
    if (await tryCommits(store, [writes], options)) return undefined;
    const conflict = await diagnose(store, writes, options);
    if (conflict !== undefined) return conflict;
  }
};
