import type { UserPage, UserQuery } from '@carnet/accounts/store';
import type { Kysely } from 'kysely';
import { prefixEnd } from '../database/prefix-end.ts';
import type { Schema } from '../database/schema.ts';
import { searchKey } from './search-keys.ts';
import { listsOfUser, toUser } from './user.ts';

type Tables = Kysely<Schema>;

/** The ids above `after` of the users whose login name, name or family name begins with `prefix`. Each part reads an index. */
const selectFound = (tables: Tables, prefix: string, after: string) => {
  const end = prefixEnd(prefix);
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

/** The ids above `after` of the users that the filters allow, in no order. */
const selectMatching = (tables: Tables, { after = '', search, state, externalId }: UserQuery) => {
  const prefix = search === undefined || externalId !== undefined ? '' : searchKey(search);
  if (prefix === '') {
    let ids = tables.selectFrom('carnet_user').select('id').where('id', '>', after);
    if (state !== undefined) ids = ids.where('state', '=', state);
    return externalId === undefined ? ids : ids.where('external_id', '=', externalId);
  }
  const found = tables.selectFrom(selectFound(tables, prefix, after).as('found')).select('found.id');
  if (state === undefined) return found;
  // Not a join: Postgres would read all users for a prefix that many have.
  return found.where(
    ({ selectFrom }) => selectFrom('carnet_user').select('state').whereRef('carnet_user.id', '=', 'found.id'),
    '=',
    state,
  );
};

/** The ids of a page, and of one user more. */
const selectIds = (tables: Tables, query: UserQuery) =>
  tables
    .selectFrom(selectMatching(tables, query).as('matching'))
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
    .select(listsOfUser)
    .orderBy('page.id');

/** A page in the order of the ids, so that no user is skipped or repeated if others are created or removed in between. */
export const readUserPage = async (tables: Tables, query: UserQuery): Promise<UserPage> => {
  const [rows, total] = await Promise.all([
    selectUserPage(tables, query).execute(),
    query.withTotal === true ? count(tables, query) : undefined,
  ]);
  const users = rows.slice(0, query.limit).map(toUser);
  return { users, next: rows.length > query.limit ? users.at(-1)?.id : undefined, total };
};
