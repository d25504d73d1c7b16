import type { Claims } from '@carnet/accounts/directory';
import type { Identifier, NewUser, UserState } from '@carnet/accounts/store';
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { linkIdentity } from '../stores/identity-store.ts';
import { nameKeysOf } from './search-keys.ts';

/** A user that is to be stored. */
export interface UserDraft {
  readonly id: string;
  readonly state: UserState;
  readonly claims: Claims;
  readonly identifiers: readonly Identifier[];
  readonly passwordHash: string | undefined;
  readonly identity?: NewUser['identity'];
  readonly externalId?: string | undefined;
}

type Tables = Kysely<Schema>;

/** Inserts the users whose id is new, the first one of each id. Returns them in the order of the drafts. */
const insertNew = async (tables: Tables, drafts: readonly UserDraft[], now: number): Promise<readonly UserDraft[]> => {
  const byId = new Map<string, UserDraft>();
  for (const draft of drafts) if (!byId.has(draft.id)) byId.set(draft.id, draft);
  const rows = [...byId.values()]
    // Rows are inserted in the order of the ids, so that two parallel imports cannot deadlock.
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ id, state, claims, externalId = null }) => ({
      id,
      external_id: externalId,
      state,
      claims: JSON.stringify(claims),
      ...nameKeysOf(claims),
      created_at: now,
      updated_at: now,
    }));
  const inserted = await tables
    .insertInto('carnet_user')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute();
  const ids = new Set(inserted.map(({ id }) => id));
  return [...byId.values()].filter(({ id }) => ids.has(id));
};

/** Inserts the login names that are free. Returns the users whose login names were all free. */
const takeIdentifiers = async (tables: Tables, drafts: readonly UserDraft[]): Promise<ReadonlySet<UserDraft>> => {
  if (drafts.length === 0) return new Set();
  const rows = drafts
    .flatMap(({ id, identifiers }) => identifiers.map(({ kind, value }) => ({ normalised: value, kind, user_id: id })))
    .toSorted((one, other) => (one.normalised < other.normalised ? -1 : 1));
  // A user with an identity at a provider may have no login name.
  if (rows.length === 0) return new Set(drafts);
  const taken = await tables
    .insertInto('carnet_identifier')
    .values(rows)
    // If two users are inserted at once, the primary key decides which one gets the login name.
    .onConflict((conflict) => conflict.column('normalised').doNothing())
    .returning('user_id')
    .execute();
  const counts = new Map<string, number>();
  for (const { user_id } of taken) counts.set(user_id, (counts.get(user_id) ?? 0) + 1);
  return new Set(drafts.filter(({ id, identifiers }) => (counts.get(id) ?? 0) === identifiers.length));
};

/** Links the identities of the users. Returns the users whose identities belonged to no other user. */
const takeIdentities = async (
  tables: Tables,
  drafts: ReadonlySet<UserDraft>,
  now: number,
): Promise<ReadonlySet<UserDraft>> => {
  const linked = new Set<UserDraft>();
  for (const draft of drafts) {
    const { id, identity } = draft;
    if (identity === undefined) linked.add(draft);
    else {
      const { subjectPrefix, since, ...members } = identity;
      const link = { ...members, subject: `${subjectPrefix}${id}`, linkedAt: now };
      if (await linkIdentity(tables, link, since)) linked.add(draft);
    }
  }
  return linked;
};

/** Removes users of this transaction that did not get all their login names, or their identity. */
const removeIncomplete = async (tables: Tables, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await tables.deleteFrom('carnet_identifier').where('user_id', 'in', ids).execute();
  await tables.deleteFrom('carnet_user').where('id', 'in', ids).execute();
};

const insertCredentials = async (tables: Tables, drafts: Iterable<UserDraft>, now: number): Promise<void> => {
  const credentials = [...drafts].flatMap(({ id, passwordHash }) =>
    passwordHash === undefined ? [] : [{ user_id: id, password_hash: passwordHash, version: 1, updated_at: now }],
  );
  if (credentials.length > 0) await tables.insertInto('carnet_credential').values(credentials).execute();
};

/**
 * Stores users in one transaction, without those that have the id, a login name or the identity of another user. Returns the stored
 * drafts.
 */
export const insertUsers = (
  tables: Tables,
  drafts: readonly UserDraft[],
  now: number,
): Promise<ReadonlySet<UserDraft>> =>
  tables.transaction().execute(async (transaction: Transaction<Schema>) => {
    const fresh = await insertNew(transaction, drafts, now);
    const stored = await takeIdentities(transaction, await takeIdentifiers(transaction, fresh), now);
    const incomplete = fresh.filter((draft) => !stored.has(draft)).map(({ id }) => id);
    await removeIncomplete(transaction, incomplete);
    await insertCredentials(transaction, stored, now);
    return stored;
  });
