import { isEmail, normaliseLogin } from '@carnet/accounts/directory';
import type { IdentifierKind, UserUpdate, UserUpdateResult } from '@carnet/accounts/store';
import type { Kysely, Transaction } from 'kysely';
import { createRefusals } from '../database/refusals.ts';
import type { Schema } from '../database/schema.ts';
import { claimColumns, mergeClaims, problemOfClaims } from './claims.ts';
import { laterThanBefore, parseClaims } from './user.ts';

type Tables = Transaction<Schema>;

const refusals = createRefusals<UserUpdateResult>();
const refuse = (reason: 'not_found' | 'changed' | 'taken' | 'last_login'): never =>
  refusals.refuse({ updated: false, reason });

const kinds = ['email', 'username'] as const;

/** Replaces the login names that are given; `null` removes one. */
const setIdentifiers = async (tables: Tables, update: UserUpdate): Promise<void> => {
  const given = kinds.filter((kind) => update[kind] !== undefined);
  // All are removed first: an email address may become the user name of the same user.
  for (const kind of given)
    await tables.deleteFrom('carnet_identifier').where('user_id', '=', update.id).where('kind', '=', kind).execute();
  for (const kind of given) {
    const name = update[kind];
    if (typeof name === 'string')
      await insertIdentifier(tables, update.id, kind, normaliseLogin(name) ?? refuse('taken'));
  }
};

const insertIdentifier = async (tables: Tables, id: string, kind: IdentifierKind, value: string): Promise<void> => {
  const { numInsertedOrUpdatedRows } = await tables
    .insertInto('carnet_identifier')
    .values({ normalised: value, kind, user_id: id })
    // If two users get the same name at once, the primary key decides which one keeps it.
    .onConflict((conflict) => conflict.column('normalised').doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) refuse('taken');
};

/** Locks the row until the end of the transaction, so that of two updates with one version, one is refused. */
const lockUser = async (tables: Tables, { id, version, now }: Timed): Promise<string> => {
  let lock = tables
    .updateTable('carnet_user')
    .set({ updated_at: laterThanBefore(now) })
    .where('id', '=', id);
  if (version !== undefined) lock = lock.where('updated_at', '=', version);
  const row = await lock.returning('claims').executeTakeFirst();
  if (row !== undefined) return row.claims;
  const known = await tables.selectFrom('carnet_user').select('id').where('id', '=', id).executeTakeFirst();
  return refuse(known === undefined ? 'not_found' : 'changed');
};

type Timed = UserUpdate & { readonly now: number };

const hasLogin = async (tables: Tables, id: string): Promise<boolean> =>
  (await tables.selectFrom('carnet_identifier').select('kind').where('user_id', '=', id).executeTakeFirst()) !==
  undefined;

/** The claims that agree with the login names. `null` removes one. */
const loginClaims = ({ email, emailVerified, username }: UserUpdate) => ({
  ...(email !== undefined && { email, email_verified: email === null ? null : (emailVerified ?? false) }),
  ...(email === undefined && emailVerified !== undefined && { email_verified: emailVerified }),
  ...(username !== undefined && { preferred_username: username }),
});

const updateIn = async (tables: Tables, update: Timed): Promise<UserUpdateResult> => {
  const { id, email, username, claims = {}, state, externalId } = update;
  const stored = parseClaims(await lockUser(tables, update));
  await setIdentifiers(tables, update);
  if ((email === null || username === null) && !(await hasLogin(tables, id))) refuse('last_login');
  await tables
    .updateTable('carnet_user')
    .set({
      ...claimColumns(mergeClaims(stored, { ...claims, ...loginClaims(update) })),
      ...(state && { state }),
      ...(externalId !== undefined && { external_id: externalId }),
    })
    .where('id', '=', id)
    .execute();
  return { updated: true };
};

/** The refusal that the members alone decide. */
const problemOf = ({ email, username, claims = {} }: UserUpdate): UserUpdateResult | undefined => {
  if (typeof email === 'string' && (!isEmail(email) || normaliseLogin(email) === undefined))
    return { updated: false, reason: 'invalid_email' };
  if (typeof username === 'string' && normaliseLogin(username) === undefined)
    return { updated: false, reason: 'invalid_username' };
  const message = problemOfClaims(claims);
  return message === undefined ? undefined : { updated: false, reason: 'invalid_claims', message };
};

/** Changes a user in one transaction: all members, or none. */
export const updateUser = async (tables: Kysely<Schema>, update: Timed): Promise<UserUpdateResult> => {
  const problem = problemOf(update);
  return problem ?? refusals.change(tables, (transaction) => updateIn(transaction, update));
};
