import type { AttemptStore } from '@carnet/accounts/second-factors';
import { sql } from 'kysely';
import type { AccountsDatabase } from '../database/accounts-database.ts';

export interface AttemptStoreOptions {
  readonly database: Pick<AccountsDatabase, 'counters'>;
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** Counts of failed attempts in the accounts database. */
export const createAttemptStore = ({ database: { counters }, now = Date.now }: AttemptStoreOptions): AttemptStore => ({
  async increment(key, windowSeconds) {
    const time = now();
    const row = await counters
      .insertInto('carnet_attempt')
      .values({ key, count: 1, reset_at: time + windowSeconds * 1_000 })
      // One statement, so that each of several parallel attempts gets its own count, even when a window ends.
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          count: sql<number>`case when carnet_attempt.reset_at <= ${time} then 1 else carnet_attempt.count + 1 end`,
          reset_at: sql<number>`case when carnet_attempt.reset_at <= ${time} then excluded.reset_at
            else carnet_attempt.reset_at end`,
        }),
      )
      .returning(['count', 'reset_at'])
      .executeTakeFirstOrThrow();
    return { count: row.count, resetAt: row.reset_at };
  },
  async decrement(key, resetAt) {
    // A count of zero is the same as none. Without a row, the count of a browser does not stay for half a year.
    const { numDeletedRows } = await counters
      .deleteFrom('carnet_attempt')
      .where('key', '=', key)
      .where('reset_at', '=', resetAt)
      .where('count', '<=', 1)
      .executeTakeFirst();
    if (numDeletedRows > 0n) return;
    await counters
      .updateTable('carnet_attempt')
      .set(({ eb }) => ({ count: eb('count', '-', 1) }))
      .where('key', '=', key)
      .where('reset_at', '=', resetAt)
      .where('count', '>', 0)
      .execute();
  },
  async clear(key) {
    await counters.deleteFrom('carnet_attempt').where('key', '=', key).execute();
  },
});
