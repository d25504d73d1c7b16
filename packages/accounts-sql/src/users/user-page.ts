import type { UserPage, UserQuery } from '@carnet/accounts/store';
import { type AliasableExpression, type Kysely, sql } from 'kysely';
import { prefixEnd } from '../database/prefix-end.ts';
import type { Schema } from '../database/schema.ts';
import { searchKey } from './search-keys.ts';
import { listsOfUser, toUser } from './user.ts';

type Tables = Kysely<Schema>;

/** How many users are examined at once. Others than the default are for tests. */
export interface PageEffort {
  /** With as many users, or login names, whose beginning matches, users that match are expected among the next ids. */
  readonly dense: number;
  /** How many of the next ids are then searched. */
  readonly walk: number;
}

/** No user has more login names: one of each kind. To find the different users of all names takes longer than to sort these. */
const mostLogins = 2;

const usualEffort: PageEffort = { dense: 10_000, walk: 8_000 };

const prefixOf = ({ search, externalId }: UserQuery): string =>
  search === undefined || externalId !== undefined ? '' : searchKey(search);

const selectNamed = (tables: Tables, column: 'name_key' | 'family_name_key', prefix: string) =>
  tables.selectFrom('carnet_user').select('id').where(column, '>=', prefix).where(column, '<', prefixEnd(prefix));

const selectLogins = (tables: Tables, prefix: string) =>
  tables
    .selectFrom('carnet_identifier')
    .select('user_id as id')
    .where('normalised', '>=', prefix)
    .where('normalised', '<', prefixEnd(prefix));

/** Not a join: Postgres would read all users for a prefix that many have. */
const stateOf = (id: 'found.id' | 'carnet_identifier.user_id') =>
  sql<string>`(select state from carnet_user where carnet_user.id = ${sql.ref(id)})`;

/** The ids above `after` of the users whose login name, name or family name begins with `prefix`. Each part reads an index. */
const selectFound = (tables: Tables, prefix: string, after: string) =>
  selectLogins(tables, prefix)
    .where('user_id', '>', after)
    .union(selectNamed(tables, 'name_key', prefix).where('id', '>', after))
    .union(selectNamed(tables, 'family_name_key', prefix).where('id', '>', after));

/** The same users, only those that a page can have: the first ones of each part. */
const selectFirstFound = (tables: Tables, query: UserQuery) => {
  const { after = '', state, limit, offset = 0 } = query;
  const prefix = prefixOf(query);
  const most = offset + limit + 1;
  // The order of an expression: Postgres would read all users by their ids, if it expects the first matches nearby.
  const named = (column: 'name_key' | 'family_name_key') => {
    const users = selectNamed(tables, column, prefix).where('id', '>', after);
    const allowed = state === undefined ? users : users.where('state', '=', state);
    return tables.selectFrom(allowed.orderBy(sql`id || ''`).limit(most).as(column)).select('id');
  };
  const owners = selectLogins(tables, prefix).where('user_id', '>', after);
  const allowed = state === undefined ? owners : owners.where(stateOf('carnet_identifier.user_id'), '=', state);
  const logins = allowed.orderBy(sql`user_id || ''`).limit(most * mostLogins);
  return tables.selectFrom(logins.as('login')).select('id').union(named('name_key')).union(named('family_name_key'));
};

/** The same users, found by reading the users in the order of their ids up to `until`, or to the last one. */
const selectNextFound = (tables: Tables, query: UserQuery, until: string | null) => {
  const prefix = prefixOf(query);
  const { after = '', state } = query;
  let ids = tables.selectFrom('carnet_user').select('id').where('id', '>', after);
  if (until !== null) ids = ids.where('id', '<=', until);
  if (state !== undefined) ids = ids.where('state', '=', state);
  const logins = selectLogins(tables, prefix);
  return ids.where(({ and, eb, or, ref }) => {
    const begins = (key: 'name_key' | 'family_name_key') =>
      and([eb(key, '>=', prefix), eb(key, '<', prefixEnd(prefix))]);
    // All between two ids are read at once. Users of one state may be far apart, so that each is looked up.
    const hasLogin =
      until !== null && state === undefined
        ? eb('id', 'in', logins.where('user_id', '>', after).where('user_id', '<=', until))
        : eb(logins.where('user_id', '=', ref('carnet_user.id')).limit(1), 'is not', null);
    return or([begins('name_key'), begins('family_name_key'), hasLogin]);
  });
};

/** The ids above `after` of the users that the filters allow, in no order. */
const selectMatching = (tables: Tables, query: UserQuery) => {
  const { after = '', state, externalId } = query;
  const prefix = prefixOf(query);
  if (prefix === '') {
    let ids = tables.selectFrom('carnet_user').select('id').where('id', '>', after);
    if (state !== undefined) ids = ids.where('state', '=', state);
    return externalId === undefined ? ids : ids.where('external_id', '=', externalId);
  }
  const found = tables.selectFrom(selectFound(tables, prefix, after).as('found')).select('found.id');
  return state === undefined ? found : found.where(stateOf('found.id'), '=', state);
};

/** Where the users of a page are searched: among the first ones of each index of names, or among the next ids. */
type Place = 'first' | { readonly until: string | null };

const selectIn = (tables: Tables, query: UserQuery, place: Place): AliasableExpression<{ id: string }> => {
  if (prefixOf(query) === '') return selectMatching(tables, query);
  return place === 'first' ? selectFirstFound(tables, query) : selectNextFound(tables, query, place.until);
};

/** The ids of a page, and of one user more. */
const selectIds = (tables: Tables, query: UserQuery, place: Place) =>
  tables
    .selectFrom(selectIn(tables, query, place).as('matching'))
    .select('matching.id')
    .orderBy('matching.id')
    .limit(query.limit + 1)
    .offset(query.offset ?? 0);

const count = async (tables: Tables, query: UserQuery): Promise<number> => {
  const { total } = await tables
    .selectFrom(selectMatching(tables, query).as('matching'))
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
};

/** The query of a page, for the test that no page is found without an index. */
export const selectUserPage = (tables: Tables, query: UserQuery, place: Place = 'first') =>
  tables
    .selectFrom(selectIds(tables, query, place).as('page'))
    .innerJoin('carnet_user', 'carnet_user.id', 'page.id')
    .selectAll('carnet_user')
    .select(({ selectFrom }) =>
      selectFrom('carnet_credential')
        .select('version')
        .whereRef('carnet_credential.user_id', '=', 'carnet_user.id')
        .as('version'),
    )
    .select(listsOfUser)
    .orderBy('page.id');

/** Whether many users match, and the end of the ids that are searched first: null if these are all. */
export const selectOutlook = (tables: Tables, query: UserQuery, { dense, walk }: PageEffort = usualEffort) => {
  const prefix = prefixOf(query);
  const isDense = (matches: AliasableExpression<{ id: string }>) => {
    const some = tables.selectFrom(matches.as('one')).select(({ fn }) => fn.countAll<number | string>().as('count'));
    return sql<number>`case when (${some}) >= ${sql.lit(dense)} then 1 else 0 end`;
  };
  let ids = tables
    .selectFrom('carnet_user')
    .select('id')
    .where('id', '>', query.after ?? '');
  if (query.state !== undefined) ids = ids.where('state', '=', query.state);
  const named = (key: 'name_key' | 'family_name_key') => selectNamed(tables, key, prefix).orderBy(key).limit(dense);
  // In the order of an index, so that it is read: without one, Postgres reads the table until enough rows have matched.
  return tables.selectNoFrom([
    isDense(selectLogins(tables, prefix).orderBy('normalised').limit(dense)).as('logins'),
    isDense(named('name_key')).as('names'),
    isDense(named('family_name_key')).as('families'),
    ids.orderBy('id').offset(walk).limit(1).as('until'),
  ]);
};

/**
 * The users whose names begin with a text. If there are many, a page of them is among the next ids, which are read in order. If
 * they are elsewhere, or few, they are sorted.
 */
const searchPage = async (tables: Tables, query: UserQuery, effort: PageEffort) => {
  const { until, logins, names, families } = await selectOutlook(tables, query, effort).executeTakeFirstOrThrow();
  if (logins + names + families > 0 || query.state !== undefined) {
    const rows = await selectUserPage(tables, query, { until }).execute();
    if (rows.length > query.limit || until === null) return rows;
  }
  return selectUserPage(tables, query).execute();
};

/** A page in the order of the ids, so that no user is skipped or repeated if others are created or removed in between. */
export const readUserPage = async (
  tables: Tables,
  query: UserQuery,
  effort: PageEffort = usualEffort,
): Promise<UserPage> => {
  const [rows, total] = await Promise.all([
    prefixOf(query) === '' ? selectUserPage(tables, query).execute() : searchPage(tables, query, effort),
    query.withTotal === true ? count(tables, query) : undefined,
  ]);
  const users = rows.slice(0, query.limit).map(toUser);
  return { users, next: rows.length > query.limit ? users.at(-1)?.id : undefined, total };
};
