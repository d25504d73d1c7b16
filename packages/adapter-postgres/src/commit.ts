import { type Conflict, type FoundRecord, keyOfWrite, type RecordKey, type Write } from '@carnet/adapter-contract';
import { prepareCommit } from './commit-values.ts';
import type { Connections } from './connections.ts';
import type { Deadline } from './deadline.ts';
import { isRefusal, NotSentError } from './faults.ts';
import { type Folded, foldWrites, type Judge } from './fold.ts';
import { readRecords } from './read.ts';
import { nameOf } from './record.ts';
import type { Prepared } from './run-on.ts';

interface CommitOptions {
  readonly now: () => number;
  readonly deadline: Deadline;
  /** See `Connections.run`. */
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

const keysOf = (writes: readonly Write[]): readonly RecordKey[] => writes.flatMap((write) => keyOfWrite(write) ?? []);

const createJudge = (found: readonly (FoundRecord | undefined)[]): Judge => {
  const standing = new Map(found.flatMap((record) => (record ? [[nameOf(record), record]] : [])));
  return (key, requirement) => {
    const record = standing.get(nameOf(key));
    if (requirement === 'nothing') return undefined;
    if (requirement === 'absent') return record && 'exists';
    if (record === undefined) return 'absent';
    return requirement === 'usable' && record.consumedAt !== null ? 'consumed' : undefined;
  };
};

/** Which write can't be carried out as things stand. */
const diagnose = async (
  connections: Connections,
  writes: readonly Write[],
  { now, deadline }: CommitOptions,
): Promise<Conflict | undefined> => {
  const instant = now();
  const found = await readRecords(connections, keysOf(writes), { now: instant, deadline });
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

/** One statement for all; undefined if one of several commits cannot be sent. Each is then sent by itself. */
const prepareAll = (commits: readonly (readonly Write[])[], instant: number): Prepared | undefined => {
  const folded = foldAll(commits, instant);
  if (folded === undefined) return undefined;
  try {
    return prepareCommit(folded, instant);
  } catch (error) {
    if (commits.length > 1) return undefined;
    throw error;
  }
};

/**
 * Carries out commits that have no record in common, in one statement. Returns whether they were carried out. If a
 * condition failed, or all calls have timed out, none of them was. After a collision with another transaction, only a
 * statement with a single commit is repeated.
 */
export const tryCommits = async (
  connections: Connections,
  commits: readonly (readonly Write[])[],
  { now, deadline, isAwaited }: CommitOptions,
): Promise<boolean> => {
  const prepared = prepareAll(commits, now());
  if (prepared === undefined) return false;
  const options = {
    deadline,
    isRepeatable: commits.every(isRepeatable),
    throwsCollisions: commits.length > 1,
    isAwaited,
  };
  try {
    await connections.run(prepared, options);
    return true;
  } catch (error) {
    if (isRefusal(error) || error instanceof NotSentError) return false;
    throw error;
  }
};

/** One statement; a conflict takes a second one, which finds its name. What has changed in between is tried again. */
export const commitWrites = async (
  connections: Connections,
  writes: readonly Write[],
  options: CommitOptions,
): Promise<Conflict | undefined> => {
  for (;;) {
    if (await tryCommits(connections, [writes], options)) return undefined;
    const conflict = await diagnose(connections, writes, options);
    if (conflict !== undefined) return conflict;
  }
};
