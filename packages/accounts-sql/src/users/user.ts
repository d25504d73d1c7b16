import type { Claims } from '@carnet/accounts/directory';
import type { Identifier, User, UserSummary } from '@carnet/accounts/store';
import { type Kysely, sql } from 'kysely';
import type { Schema, UserTable } from '../database/schema.ts';
import { groupNamesOfUser, readGroupsOf, withGroups } from '../groups/user-groups.ts';

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

const readIdentifiers = async (tables: Kysely<Schema>, ids: readonly string[]) => {
  if (ids.length === 0) return new Map<string, Identifier[]>();
  const rows = await tables
    .selectFrom('carnet_identifier')
    .selectAll()
    .where('user_id', 'in', ids)
    .orderBy('kind')
    .orderBy('normalised')
    .execute();
  const identifiers = new Map<string, Identifier[]>();
  for (const { user_id, kind, normalised } of rows)
    identifiers.set(user_id, [...(identifiers.get(user_id) ?? []), { kind, value: normalised }]);
  return identifiers;
};

export const toUsers = async (tables: Kysely<Schema>, rows: readonly Row[]): Promise<readonly User[]> => {
  const ids = rows.map(({ id }) => id);
  const identifiers = await readIdentifiers(tables, ids);
  const groups = await readGroupsOf(tables, ids);
  return rows.map(({ id, state, claims, external_id, version, created_at, updated_at, delete_at }) => ({
    id,
    state,
    claims: parseClaims(claims),
    identifiers: identifiers.get(id) ?? [],
    groups: groups.get(id) ?? [],
    externalId: external_id ?? undefined,
    passwordVersion: version ?? 0,
    createdAt: created_at,
    updatedAt: updated_at,
    deleteAt: delete_at ?? undefined,
  }));
};

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

export const readUser = async (tables: Kysely<Schema>, id: string): Promise<User | undefined> =>
  (await toUsers(tables, await selectById(tables, id).execute()))[0];

/** The user with this normalised login name. */
export const readUserByLogin = async (tables: Kysely<Schema>, login: string): Promise<User | undefined> =>
  (await toUsers(tables, await selectByLogin(tables, login).execute()))[0];
