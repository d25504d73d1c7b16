/**
 * `@carnet/adapter-contract/sql`: what the adapters of SQL servers share. A commit is folded to its net effect on each
 * record, and calls that meet are sent together.
 */
export { nameOfRecord } from './apply-writes.ts';
export { createCalls } from './sql/calls.ts';
export { checkOut } from './sql/check-out.ts';
export type { CommitStore, ReadOptions, RunOptions } from './sql/commit.ts';
export { type Deadline, NotSentError, withDeadline } from './sql/deadline.ts';
export { type Effect, type Folded, foldWrites, inOrder } from './sql/fold.ts';
export { createCommits } from './sql/gathered-commits.ts';
export { createReads } from './sql/gathered-reads.ts';
