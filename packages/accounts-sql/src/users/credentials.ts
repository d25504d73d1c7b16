import type { UserState } from '@carnet/accounts/store';
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';

export interface StoredCredential {
  readonly state: UserState;
  /** Null for a user without a password. */
  readonly hash: string | null;
  readonly version: number;
}

type Tables = Kysely<Schema>;

/** Undefined if there is no such user. */
export const readCredential = async (tables: Tables, userId: string): Promise<StoredCredential | undefined> => {
  const row = await tables
    .selectFrom('carnet_user')
    .leftJoin('carnet_credential', 'carnet_credential.user_id', 'carnet_user.id')
    .select(['state', 'password_hash as hash', 'version'])
    .where('carnet_user.id', '=', userId)
    .executeTakeFirst();
  return row && { state: row.state, hash: row.hash, version: row.version ?? 0 };
};

/** Some stored hashes, for their formats and costs. */
export const readSampleHashes = async (tables: Tables): Promise<readonly string[]> => {
  const rows = await tables.selectFrom('carnet_credential').select('password_hash').limit(200).execute();
  return rows.map(({ password_hash }) => password_hash);
};

/** Stores a new hash of the same password, unless the password was changed meanwhile. */
export const replaceHash = async (
  tables: Tables,
  { userId, from, to }: { readonly userId: string; readonly from: string; readonly to: string },
): Promise<void> => {
  await tables
    .updateTable('carnet_credential')
    .set({ password_hash: to })
    .where('user_id', '=', userId)
    .where('password_hash', '=', from)
    .execute();
};

interface Change {
  readonly userId: string;
  readonly hash: string;
  readonly now: number;
}

const insertCredential = (tables: Tables, { userId, hash, now }: Change) =>
  tables
    .insertInto('carnet_credential')
    .columns(['user_id', 'password_hash', 'version', 'updated_at'])
    .expression(
      tables
        .selectFrom('carnet_user')
        .select(({ val, lit }) => ['id', val(hash).as('hash'), lit(1).as('version'), val(now).as('time')])
        .where('id', '=', userId),
    );

/** Sets the password, whatever its version is. @returns false if there is no such user */
export const setCredential = async (tables: Tables, change: Change): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await insertCredential(tables, change)
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(({ eb, ref }) => ({
        password_hash: change.hash,
        version: eb(ref('carnet_credential.version'), '+', 1),
        updated_at: change.now,
      })),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
};

/**
 * Changes the password of an active user, if it still has the version that the caller has checked. A link or a session with
 * an earlier version changes nothing.
 */
export const changeCredential = async (tables: Tables, version: number, change: Change): Promise<boolean> => {
  const active = tables
    .selectFrom('carnet_user')
    .select('id')
    .where('id', '=', change.userId)
    .where('state', '=', 'active');
  if (version === 0) {
    if ((await active.executeTakeFirst()) === undefined) return false;
    const { numInsertedOrUpdatedRows } = await insertCredential(tables, change)
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }
  const { numUpdatedRows } = await tables
    .updateTable('carnet_credential')
    .set({ password_hash: change.hash, version: version + 1, updated_at: change.now })
    .where('user_id', 'in', active)
    .where('version', '=', version)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};
