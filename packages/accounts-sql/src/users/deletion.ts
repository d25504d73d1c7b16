import type { Users } from '@carnet/accounts/store';
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { leaveGroups } from '../groups/members.ts';

type Deletions = Pick<Users, 'scheduleDeletion' | 'cancelDeletion' | 'deletionOf' | 'listDue' | 'remove' | 'removeDue'>;

interface Removal {
  readonly id: string;
  readonly subject: string;
  readonly dueBy?: number;
  readonly version?: number;
  readonly now: number;
}

/**
 * Removes a user with everything that belongs to it, in one transaction.
 *
 * Safe with several processes, and against a user who keeps the account at the same moment, because the row of the user is
 * deleted first, with its condition: of several callers, one deletes it.
 *
 * `subject` is the owner of the second factors and identities. `dueBy`: only a user whose time has come by then is removed.
 * `version`: only one with this `updatedAt`.
 */
const removeUser = (tables: Kysely<Schema>, { id, subject, dueBy, version, now }: Removal): Promise<boolean> =>
  tables.transaction().execute(async (transaction) => {
    let removal = transaction.deleteFrom('carnet_user').where('id', '=', id);
    if (dueBy !== undefined) removal = removal.where('delete_at', '<=', dueBy);
    if (version !== undefined) removal = removal.where('updated_at', '=', version);
    if ((await removal.executeTakeFirst()).numDeletedRows !== 1n) return false;
    await transaction.deleteFrom('carnet_identifier').where('user_id', '=', id).execute();
    await transaction.deleteFrom('carnet_credential').where('user_id', '=', id).execute();
    await transaction.deleteFrom('carnet_factor').where('subject', '=', subject).execute();
    await transaction.deleteFrom('carnet_identity').where('subject', '=', subject).execute();
    await leaveGroups(transaction, id, now);
    await transaction.deleteFrom('carnet_link').where('user_id', '=', id).execute();
    return true;
  });

/** The deletion of users, at once or at a time that is stored with the user. */
export const createDeletions = (tables: Kysely<Schema>, now: () => number): Deletions => ({
  async scheduleDeletion(id, at) {
    const row = await tables
      .updateTable('carnet_user')
      .set(({ fn, ref, val }) => ({ delete_at: fn.coalesce(ref('delete_at'), val(at)) }))
      .where('id', '=', id)
      .returning('delete_at')
      .executeTakeFirst();
    return row?.delete_at ?? undefined;
  },
  async cancelDeletion(id) {
    const { numUpdatedRows } = await tables
      .updateTable('carnet_user')
      .set({ delete_at: null })
      .where('id', '=', id)
      // After this time, another process may be deleting the user.
      .where('delete_at', '>', now())
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },
  async deletionOf(id) {
    const row = await tables.selectFrom('carnet_user').select('delete_at').where('id', '=', id).executeTakeFirst();
    return row === undefined ? 0 : (row.delete_at ?? undefined);
  },
  async listDue(limit) {
    const rows = await tables
      .selectFrom('carnet_user')
      .select('id')
      .where('delete_at', '<=', now())
      .orderBy('delete_at')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  },
  remove: (id, subject, version) => removeUser(tables, { id, subject, version, now: now() }),
  removeDue: (id, subject) => removeUser(tables, { id, subject, dueBy: now(), now: now() }),
});
