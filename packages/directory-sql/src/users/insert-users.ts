import type { Claims } from '@carnet/directory';
import type { Kysely, Transaction } from 'kysely';
import type { Schema, UserState } from '../database/schema.ts';
import type { Identifier } from './identifier.ts';

/** A user that is to be stored. */
export interface UserDraft {
  readonly id: string;
  readonly state: UserState;
  readonly claims: Claims;
  readonly identifiers: readonly Identifier[];
  readonly passwordHash: string | undefined;
}

/** Inserts the login names that no user has. Returns the ids of the users that have got all of theirs. */
const takeIdentifiers = async (tables: Kysely<Schema>, drafts: readonly UserDraft[]): Promise<ReadonlySet<string>> => {
  const rows = drafts
    .flatMap(({ id, identifiers }) => identifiers.map(({ kind, value }) => ({ normalised: value, kind, user_id: id })))
    // In one order: two imports at once do not wait for each other in a circle.
    .toSorted((one, other) => (one.normalised < other.normalised ? -1 : 1));
  const taken = await tables
    .insertInto('carnet_identifier')
    .values(rows)
    // The primary key decides which of two users at once gets the login name.
    .onConflict((conflict) => conflict.column('normalised').doNothing())
    .returning('user_id')
    .execute();
  const counts = new Map<string, number>();
  for (const { user_id } of taken) counts.set(user_id, (counts.get(user_id) ?? 0) + 1);
  const complete = new Set(
    drafts.filter(({ id, identifiers }) => counts.get(id) === identifiers.length).map(({ id }) => id),
  );
  const incomplete = [...counts.keys()].filter((id) => !complete.has(id));
  if (incomplete.length > 0) await tables.deleteFrom('carnet_identifier').where('user_id', 'in', incomplete).execute();
  return complete;
};

const insertRows = async (tables: Kysely<Schema>, drafts: readonly UserDraft[], now: number): Promise<void> => {
  const users = drafts.map(({ id, state, claims }) => ({
    id,
    state,
    claims: JSON.stringify(claims),
    created_at: now,
    updated_at: now,
  }));
  if (users.length > 0) await tables.insertInto('carnet_user').values(users).execute();
  const credentials = drafts.flatMap(({ id, passwordHash }) =>
    passwordHash === undefined ? [] : [{ user_id: id, password_hash: passwordHash, version: 1, updated_at: now }],
  );
  if (credentials.length > 0) await tables.insertInto('carnet_credential').values(credentials).execute();
};

/**
 * Stores users in one transaction, without those that have a login name of another user. Returns the ids of the stored
 * users.
 */
export const insertUsers = (
  tables: Kysely<Schema>,
  drafts: readonly UserDraft[],
  now: number,
): Promise<ReadonlySet<string>> =>
  tables.transaction().execute(async (transaction: Transaction<Schema>) => {
    const stored = await takeIdentifiers(transaction, drafts);
    const accepted = drafts.filter(({ id }) => stored.has(id));
    await insertRows(transaction, accepted, now);
    return stored;
  });
