import { randomUUID } from 'node:crypto';
import type {
  Group,
  GroupQuery,
  GroupRefusal,
  GroupStore,
  GroupUpdate,
  GroupUpdateResult,
  NewGroup,
} from '@carnet/accounts/store';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { AccountsDatabase } from '../database/accounts-database.ts';
import { isDuplicate } from '../database/failure.ts';
import { prefixEnd } from '../database/prefix-end.ts';
import { createRefusals } from '../database/refusals.ts';
import type { GroupTable, Schema } from '../database/schema.ts';
import { searchKey } from '../users/search-keys.ts';
import { laterThanBefore } from '../users/user.ts';
import { addMembers, memberIds, readMembers, removeMembers, unknownUsers } from './members.ts';

export interface GroupStoreOptions {
  readonly database: Pick<AccountsDatabase, 'tables'>;
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

type Tables = Transaction<Schema>;

const refusals = createRefusals<GroupRefusal>();
const refuse = (reason: 'not_found' | 'changed' | 'taken'): never => refusals.refuse({ updated: false, reason });

const fromRow = (row: Selectable<GroupTable>): Group => ({
  id: row.id,
  name: row.name,
  externalId: row.external_id ?? undefined,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** The groups of a list, in no order. Each filter reads an index. */
const selectMatching = (tables: Kysely<Schema>, { name, search, externalId, member }: GroupQuery) => {
  let matching = tables.selectFrom('carnet_group').selectAll();
  if (name !== undefined) matching = matching.where('name_key', '=', searchKey(name));
  if (externalId !== undefined) matching = matching.where('external_id', '=', externalId);
  if (search !== undefined)
    matching = matching.where('name_key', '>=', searchKey(search)).where('name_key', '<', prefixEnd(searchKey(search)));
  if (member === undefined) return matching;
  return matching.where('id', 'in', ({ selectFrom }) =>
    selectFrom('carnet_group_member').select('group_id').where('user_id', '=', member),
  );
};

/** The query of a page, for the test that no page is found without an index. */
export const selectGroupPage = (tables: Kysely<Schema>, query: GroupQuery) =>
  selectMatching(tables, query)
    .where('id', '>', query.after ?? '')
    .orderBy('id')
    .limit(query.limit + 1)
    .offset(query.offset ?? 0);

const count = async (tables: Kysely<Schema>, query: GroupQuery): Promise<number> => {
  const { total } = await tables
    .selectFrom(selectMatching(tables, query).as('matching'))
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
};

const assertUsers = async (tables: Tables, ids: readonly string[]): Promise<void> => {
  const [unknown] = await unknownUsers(tables, ids);
  if (unknown !== undefined) refusals.refuse({ updated: false, reason: 'unknown_member', member: unknown });
};

const createIn = async (tables: Tables, { name, externalId, members = [] }: NewGroup, now: number) => {
  const created = await tables
    .insertInto('carnet_group')
    .values({
      ...{ id: randomUUID(), name, name_key: searchKey(name), external_id: externalId ?? null },
      ...{ created_at: now, updated_at: now },
    })
    // If two groups get one name at once, the unique index decides which one keeps it.
    .onConflict((conflict) => conflict.column('name_key').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (created === undefined) return refuse('taken');
  await assertUsers(tables, members);
  await addMembers(tables, created.id, members);
  return fromRow(created);
};

type Timed = GroupUpdate & { readonly now: number };

/** Locks the row until the end of the transaction, so that changes of one group are made one after the other. */
const lockGroup = async (tables: Tables, { id, version, now }: Timed): Promise<void> => {
  let lock = tables
    .updateTable('carnet_group')
    .set({ updated_at: laterThanBefore(now) })
    .where('id', '=', id);
  if (version !== undefined) lock = lock.where('updated_at', '=', version);
  if ((await lock.executeTakeFirst()).numUpdatedRows === 1n) return;
  const known = await tables.selectFrom('carnet_group').select('id').where('id', '=', id).executeTakeFirst();
  refuse(known === undefined ? 'not_found' : 'changed');
};

const rename = async (tables: Tables, id: string, name: string): Promise<void> => {
  const key = searchKey(name);
  const { numUpdatedRows } = await tables
    .updateTable('carnet_group')
    .set({ name, name_key: key })
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('carnet_group as other').select('id').where('name_key', '=', key).where('id', '!=', id))),
    )
    .executeTakeFirst()
    // Postgres does not see the group that a parallel change gives the name: the unique index decides then.
    .catch((error: unknown) => (isDuplicate(error) ? refuse('taken') : Promise.reject(error)));
  if (numUpdatedRows !== 1n) refuse('taken');
};

const changeMembers = async (tables: Tables, { id, members, add = [], remove = [] }: GroupUpdate) => {
  const stored = members === undefined ? [] : await memberIds(tables, id);
  const [now, before] = [new Set(members), new Set(stored)];
  const added = [...new Set([...add, ...[...now].filter((each) => !before.has(each))])];
  await assertUsers(tables, added);
  const removed = members === undefined ? remove : [...remove, ...stored.filter((each) => !now.has(each))];
  return {
    removed: await removeMembers(tables, id, removed),
    added: await addMembers(tables, id, added),
  };
};

const updateIn = async (tables: Tables, update: Timed): Promise<GroupUpdateResult> => {
  await lockGroup(tables, update);
  const { id, name, externalId } = update;
  if (name !== undefined) await rename(tables, id, name);
  if (externalId !== undefined)
    await tables
      .updateTable('carnet_group')
      .set({ external_id: externalId ?? null })
      .where('id', '=', id)
      .execute();
  return { updated: true, ...(await changeMembers(tables, update)) };
};

const removeIn = async (tables: Tables, given: Timed): Promise<GroupUpdateResult> => {
  await lockGroup(tables, given);
  await tables.deleteFrom('carnet_group_member').where('group_id', '=', given.id).execute();
  await tables.deleteFrom('carnet_group').where('id', '=', given.id).execute();
  return { updated: true, added: [], removed: [] };
};

/** The groups of the accounts database. */
export const createGroupStore = ({ database: { tables }, now = Date.now }: GroupStoreOptions): GroupStore => {
  return {
    create: (group) =>
      refusals.change(tables, async (transaction) => ({
        updated: true,
        group: await createIn(transaction, group, now()),
      })),
    async show(id) {
      const row = await tables.selectFrom('carnet_group').selectAll().where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },
    async list(query) {
      const rows = await selectGroupPage(tables, query).execute();
      const groups = rows.slice(0, query.limit).map(fromRow);
      const total = query.withTotal === true ? await count(tables, query) : undefined;
      return { groups, next: rows.length > query.limit ? groups.at(-1)?.id : undefined, total };
    },
    members: (query) => readMembers(tables, query),
    update: (update) => refusals.change(tables, (transaction) => updateIn(transaction, { ...update, now: now() })),
    remove: (id, version) =>
      refusals.change(tables, (transaction) => removeIn(transaction, { id, version, now: now() })),
  };
};
