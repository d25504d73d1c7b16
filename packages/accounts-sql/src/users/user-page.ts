import type { UserPage, UserQuery } from '@carnet/accounts/store';
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { searchKey } from './search-keys.ts';
import { toUsers } from './user.ts';

type Tables = Kysely<Schema>;

/** The highest code point: with it as suffix, a text is above every text that begins with it. Columns compare byte by byte. */
const last = '\u{10ffff}';

/** The ids above `after` of the users whose login name, name or family name begins with `prefix`. Each part reads an index. */
const selectFound = (tables: Tables, prefix: string, after: string) => {
  const end = `${prefix}${last}`;
  const named = (column: 'name_key' | 'family_name_key') =>
    tables
      .selectFrom('carnet_user')
      .select('id')
      .where(column, '>=', prefix)
      .where(column, '<', end)
      .where('id', '>', after);
  return tables
    .selectFrom('carnet_identifier')
    .select('user_id as id')
    .where('normalised', '>=', prefix)
    .where('normalised', '<', end)
    .where('user_id', '>', after)
    .union(named('name_key'))
    .union(named('family_name_key'));
};

/** The ids of a page, and of one user more. */
const selectIds = (tables: Tables, { after = '', limit, search, state }: UserQuery) => {
  const prefix = search === undefined ? '' : searchKey(search);
  if (prefix === '') {
    const ids = tables
      .selectFrom('carnet_user')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit + 1);
    return state === undefined ? ids : ids.where('state', '=', state);
  }
  const found = tables
    .selectFrom(selectFound(tables, prefix, after).as('found'))
    .select('found.id')
    .orderBy('found.id')
    .limit(limit + 1);
  if (state === undefined) return found;
  // Not a join: Postgres would read all users for a prefix that many have.
  return found.where(
    ({ selectFrom }) => selectFrom('carnet_user').select('state').whereRef('carnet_user.id', '=', 'found.id'),
    '=',
    state,
  );
};

/** The query of a page, for the test that no page is found without an index. */
export const selectUserPage = (tables: Tables, query: UserQuery) =>
  tables
    .selectFrom(selectIds(tables, query).as('page'))
    .innerJoin('carnet_user', 'carnet_user.id', 'page.id')
    .selectAll('carnet_user')
    .select(({ selectFrom }) =>
      selectFrom('carnet_credential')
        .select('version')
        .whereRef('carnet_credential.user_id', '=', 'carnet_user.id')
        .as('version'),
    )
    .orderBy('page.id');

/** A page in the order of the ids, so that no user is skipped or repeated if others are created or removed in between. */
export const readUserPage = async (tables: Tables, query: UserQuery): Promise<UserPage> => {
  const rows = await selectUserPage(tables, query).execute();
  const users = await toUsers(tables, rows.slice(0, query.limit));
  return { users, next: rows.length > query.limit ? users.at(-1)?.id : undefined };
};
