import type { AttemptStore } from '@carnet/accounts/second-factors';
import { sql } from 'kysely';
import type { AccountsDatabase } from '../database/accounts-database.ts';

export interface AttemptStoreOptions {
  readonly database: Pick<AccountsDatabase, 'counters'>;
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

interface Row {
  readonly count: number;
  readonly reset_at: number;
}

/**
 * Counts of failed attempts in the accounts database. The statements are written as SQL because each sign-in runs several of
 * them: Kysely's builders took a fifth of the CPU time of the check of a PIN.
 */
export const createAttemptStore = ({ database: { counters }, now = Date.now }: AttemptStoreOptions): AttemptStore => ({
  async increment(key, windowSeconds) {
    const time = now();
    // One statement, so that each of several parallel attempts gets its own count, even when a window ends.
    const { rows } = await sql<Row>`
      insert into carnet_attempt (key, count, reset_at) values (${key}, 1, ${time + windowSeconds * 1_000})
      on conflict (key) do update set
        count = case when carnet_attempt.reset_at <= ${time} then 1 else carnet_attempt.count + 1 end,
        reset_at = case when carnet_attempt.reset_at <= ${time} then excluded.reset_at else carnet_attempt.reset_at end
      returning count, reset_at`.execute(counters);
    const { count, reset_at: resetAt } = rows[0] as Row;
    return { count, resetAt };
  },
  async decrement(key, resetAt) {
    // A count of zero is the same as none. Without a row, the count of a browser does not stay for half a year.
    const { numAffectedRows } = await sql`
      delete from carnet_attempt where key = ${key} and reset_at = ${resetAt} and count <= 1`.execute(counters);
    if (numAffectedRows !== 0n) return;
    await sql`
      update carnet_attempt set count = count - 1 where key = ${key} and reset_at = ${resetAt} and count > 0
    `.execute(counters);
  },
  async clear(key) {
    await sql`delete from carnet_attempt where key = ${key}`.execute(counters);
  },
});
