import type { Claims } from '@carnet/accounts/directory';
import type { User, UserSummary } from '@carnet/accounts/store';
import { type Kysely, sql } from 'kysely';
import type { Schema, UserTable } from '../database/schema.ts';
import { groupNamesOfUser, groupsIn, groupsOfUser, withGroups } from '../groups/user-groups.ts';
import { identifiersIn, identifiersOfUser } from './identifier.ts';

export const parseClaims = (claims: string): Claims => JSON.parse(claims) as Claims;

/** The time of a change, which differs from that of the change before: it is the version of the user. */
export const laterThanBefore = (now: number) =>
  sql<number>`case when updated_at >= ${now} then updated_at + 1 else ${now} end`;

type Row = UserTable & { readonly version: number | null };

const selectUsers = (tables: Kysely<Schema>) =>
  tables
    .selectFrom('carnet_user')
    .leftJoin('carnet_credential', 'carnet_credential.user_id', 'carnet_user.id')
    .selectAll('carnet_user')
    .select('carnet_credential.version');

/** The login names and groups of the user in this row: no query more for a page of users. */
export const listsOfUser = [identifiersOfUser.as('identifiers'), groupsOfUser.as('user_groups')] as const;

interface WholeRow extends Row {
  readonly identifiers: string | null;
  readonly user_groups: string | null;
}

export const toUser = (row: WholeRow): User => ({
  id: row.id,
  state: row.state,
  claims: parseClaims(row.claims),
  identifiers: identifiersIn(row.identifiers),
  groups: groupsIn(row.user_groups),
  externalId: row.external_id ?? undefined,
  passwordVersion: row.version ?? 0,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  deleteAt: row.delete_at ?? undefined,
});

const selectById = (tables: Kysely<Schema>, id: string) => selectUsers(tables).where('carnet_user.id', '=', id);

const selectByLogin = (tables: Kysely<Schema>, login: string) =>
  selectUsers(tables)
    .innerJoin('carnet_identifier', 'carnet_identifier.user_id', 'carnet_user.id')
    .where('carnet_identifier.normalised', '=', login);

const toSummary = (row: (Row & { readonly group_names: string | null }) | undefined): UserSummary | undefined =>
  row && {
    id: row.id,
    state: row.state,
    claims: withGroups(parseClaims(row.claims), row.group_names),
    passwordVersion: row.version ?? 0,
  };

/** One query for known and unknown users: the duration does not reveal who is known. */
export const readSummary = async (tables: Kysely<Schema>, id: string): Promise<UserSummary | undefined> =>
  toSummary(await selectById(tables, id).select(groupNamesOfUser.as('group_names')).executeTakeFirst());

/** As `readSummary`, by a normalised login name. */
export const readSummaryByLogin = async (tables: Kysely<Schema>, login: string): Promise<UserSummary | undefined> =>
  toSummary(await selectByLogin(tables, login).select(groupNamesOfUser.as('group_names')).executeTakeFirst());

export const readUser = async (tables: Kysely<Schema>, id: string): Promise<User | undefined> => {
  const row = await selectById(tables, id).select(listsOfUser).executeTakeFirst();
  return row && toUser(row);
};

/** The user with this normalised login name. */
export const readUserByLogin = async (tables: Kysely<Schema>, login: string): Promise<User | undefined> => {
  const row = await selectByLogin(tables, login).select(listsOfUser).executeTakeFirst();
  return row && toUser(row);
};
