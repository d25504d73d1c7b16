import type { CacheStore, DirectoryUser } from '@carnet/accounts/directory';
import { sql } from 'kysely';
import type { AccountsDatabase } from '../database/accounts-database.ts';

export interface DatabaseCacheOptions {
  readonly database: Pick<AccountsDatabase, 'counters'>;
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** The user cache in the accounts database, shared by several processes. */
export const createDatabaseCache = ({ database: { counters }, now = Date.now }: DatabaseCacheOptions): CacheStore => ({
  async get(directory, login) {
    const row = await counters
      .selectFrom('carnet_cached_user')
      .select(['user', 'fetched_at'])
      .where('directory', '=', directory)
      .where('login', '=', login)
      .where('expires_at', '>', now())
      .executeTakeFirst();
    return row && { user: JSON.parse(row.user) as DirectoryUser, fetchedAt: row.fetched_at };
  },
  async put(directory, login, { user, fetchedAt }, ttlSeconds) {
    const row = { user: JSON.stringify(user), fetched_at: fetchedAt, expires_at: now() + ttlSeconds * 1_000 };
    await counters
      .insertInto('carnet_cached_user')
      .values({ directory, login, ...row })
      .onConflict((conflict) =>
        conflict
          .columns(['directory', 'login'])
          .doUpdateSet(row)
          // A slow process does not replace an entry that another process has fetched later.
          .where(sql.ref('carnet_cached_user.fetched_at'), '<=', fetchedAt),
      )
      .execute();
  },
  async purge({ directory, login }) {
    let removal = counters.deleteFrom('carnet_cached_user');
    if (directory !== undefined) removal = removal.where('directory', '=', directory);
    if (login !== undefined) removal = removal.where('login', '=', login);
    return Number((await removal.executeTakeFirst()).numDeletedRows);
  },
});
