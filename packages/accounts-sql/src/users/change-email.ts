import type { EmailChange, EmailSetting } from '@carnet/accounts/store';
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { readCredential } from './credentials.ts';
import { laterThanBefore, parseClaims } from './user.ts';

type Tables = Transaction<Schema>;

/** Locks the row of an active user until the end of the transaction. Returns its claims. */
const lockUser = async (tables: Tables, id: string): Promise<string | undefined> => {
  const row = await tables
    .updateTable('carnet_user')
    .set({ state: 'active' })
    .where('id', '=', id)
    .where('state', '=', 'active')
    .returning('claims')
    .executeTakeFirst();
  return row?.claims;
};

const isCurrent = async (tables: Tables, { id, from, passwordVersion }: EmailChange): Promise<boolean> => {
  const credential = await readCredential(tables, id);
  const identifier = await tables
    .selectFrom('carnet_identifier')
    .select('normalised')
    .where('user_id', '=', id)
    .where('kind', '=', 'email')
    .executeTakeFirst();
  return credential?.version === passwordVersion && identifier?.normalised === from;
};

const replaceIdentifier = async (tables: Tables, { id, to }: EmailChange): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await tables
    .insertInto('carnet_identifier')
    .values({ normalised: to, kind: 'email', user_id: id })
    // If two users confirm the same address at once, the primary key decides which one gets it.
    .onConflict((conflict) => conflict.column('normalised').doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return false;
  await tables
    .deleteFrom('carnet_identifier')
    .where('user_id', '=', id)
    .where('kind', '=', 'email')
    .where('normalised', '!=', to)
    .execute();
  return true;
};

const refused = (reason: 'stale' | 'taken'): EmailSetting => ({ changed: false, reason });

/**
 * Replaces the email address of an active user, as login name and as verified claim, in one transaction.
 *
 * Safe against a second use and against an earlier request, because the row of the user is locked, and the address and the
 * version of the password are still those of the request.
 */
export const changeEmail = (tables: Kysely<Schema>, change: EmailChange, now: number): Promise<EmailSetting> =>
  tables.transaction().execute(async (transaction) => {
    const claims = await lockUser(transaction, change.id);
    if (claims === undefined || !(await isCurrent(transaction, change))) return refused('stale');
    if (!(await replaceIdentifier(transaction, change))) return refused('taken');
    const changed = { ...parseClaims(claims), email: change.to, email_verified: true };
    await transaction
      .updateTable('carnet_user')
      .set({ claims: JSON.stringify(changed), updated_at: laterThanBefore(now) })
      .where('id', '=', change.id)
      .execute();
    return { changed: true };
  });
