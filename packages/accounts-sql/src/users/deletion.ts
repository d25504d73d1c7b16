import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';

type Tables = Kysely<Schema>;

/** Sets when a user is deleted, unless it is set already. Returns the time that is stored; undefined if there is no such user. */
export const scheduleDeletion = async (
  tables: Tables,
  { id, at }: { readonly id: string; readonly at: number },
): Promise<number | undefined> => {
  const row = await tables
    .updateTable('carnet_user')
    .set(({ fn, ref, val }) => ({ delete_at: fn.coalesce(ref('delete_at'), val(at)) }))
    .where('id', '=', id)
    .returning('delete_at')
    .executeTakeFirst();
  return row?.delete_at ?? undefined;
};

/** @returns false if the user is not to be deleted, or if it is too late */
export const cancelDeletion = async (
  tables: Tables,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<boolean> => {
  const { numUpdatedRows } = await tables
    .updateTable('carnet_user')
    .set({ delete_at: null })
    .where('id', '=', id)
    // After this time, another process may be deleting the user.
    .where('delete_at', '>', now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** When the user is deleted; undefined for a user who is not, and 0 for one who no longer exists. */
export const readDeletion = async (tables: Tables, id: string): Promise<number | undefined> => {
  const row = await tables.selectFrom('carnet_user').select('delete_at').where('id', '=', id).executeTakeFirst();
  return row === undefined ? 0 : (row.delete_at ?? undefined);
};

/** The ids of up to `limit` users whose time has come. */
export const readDue = async (
  tables: Tables,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<readonly string[]> => {
  const rows = await tables
    .selectFrom('carnet_user')
    .select('id')
    .where('delete_at', '<=', now)
    .orderBy('delete_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
};

interface Removal {
  readonly id: string;
  /** The owner of the second factors. */
  readonly subject: string;
  /** Only a user whose time has come by then is removed. Default: any user. */
  readonly dueBy?: number | undefined;
}

/**
 * Removes a user with everything that belongs to it, in one transaction.
 *
 * Safe with several processes, and against a user who keeps the account at the same moment, because the row of the user is
 * deleted first, with its condition: of several callers, one deletes it.
 */
export const removeUser = (tables: Tables, { id, subject, dueBy }: Removal): Promise<boolean> =>
  tables.transaction().execute(async (transaction) => {
    let removal = transaction.deleteFrom('carnet_user').where('id', '=', id);
    if (dueBy !== undefined) removal = removal.where('delete_at', '<=', dueBy);
    if ((await removal.executeTakeFirst()).numDeletedRows !== 1n) return false;
    await transaction.deleteFrom('carnet_identifier').where('user_id', '=', id).execute();
    await transaction.deleteFrom('carnet_credential').where('user_id', '=', id).execute();
    await transaction.deleteFrom('carnet_factor').where('subject', '=', subject).execute();
    await transaction.deleteFrom('carnet_link').where('user_id', '=', id).execute();
    return true;
  });
