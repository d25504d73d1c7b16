import type { DatabaseSync } from 'node:sqlite';
import { type BoundCommit, carryOut } from './commit.ts';
import type { Outcome } from './commit-queue.ts';
import { inTransaction } from './database.ts';
import type { Statements } from './statements.ts';

interface Store {
  readonly database: DatabaseSync;
  readonly statements: Statements;
  readonly now: () => number;
}

/** In a transaction shared with other commits: a commit that conflicts or throws has no effect, and theirs remain. */
const attempt = ({ database, statements, now }: Store, commit: BoundCommit): Outcome => {
  statements.savepoint.run();
  try {
    const value = carryOut(statements, commit, now());
    if (value !== undefined) statements.undo.run();
    return { status: 'fulfilled', value };
  } catch (reason) {
    // Some errors, such as a full disk, end the transaction: then nothing of the batch was stored.
    if (!database.isTransaction) throw reason;
    statements.undo.run();
    return { status: 'rejected', reason };
  } finally {
    if (database.isTransaction) statements.release.run();
  }
};

/** Several commits in one transaction, one after the other, each atomic. */
export const runBatch = (store: Store, batch: readonly BoundCommit[]): readonly Outcome[] =>
  inTransaction(store.database, () => batch.map((commit) => attempt(store, commit)));
