import type { GroupMember, MemberQuery } from '@carnet/accounts/store';
import { batchesOf } from '@carnet/adapter-contract/kit';
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { laterThanBefore, parseClaims } from '../users/user.ts';

type Tables = Kysely<Schema>;

/** A page of the members, in the order of their ids. */
export const readMembers = async (
  tables: Tables,
  { id, after = '', limit }: MemberQuery,
): Promise<readonly GroupMember[]> => {
  const rows = await tables
    .selectFrom('carnet_group_member')
    .innerJoin('carnet_user', 'carnet_user.id', 'carnet_group_member.user_id')
    .select(['carnet_user.id', 'claims'])
    .where('group_id', '=', id)
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ id: row.id, claims: parseClaims(row.claims) }));
};

const batchSize = 500;

const inBatches = async (
  ids: readonly string[],
  change: (batch: readonly string[]) => Promise<readonly { readonly user_id: string }[]>,
): Promise<readonly string[]> => {
  const changed: string[] = [];
  for (const batch of batchesOf(ids, batchSize)) changed.push(...(await change(batch)).map(({ user_id }) => user_id));
  return changed;
};

/** Those of the ids that no user has. */
export const unknownUsers = async (tables: Tables, ids: readonly string[]): Promise<readonly string[]> => {
  const known = await inBatches(ids, (batch) =>
    tables.selectFrom('carnet_user').select('id as user_id').where('id', 'in', batch).execute(),
  );
  const found = new Set(known);
  return ids.filter((id) => !found.has(id));
};

/** Adds users to a group whose row is locked. Returns those who were no members. */
export const addMembers = (tables: Tables, groupId: string, ids: readonly string[]): Promise<readonly string[]> =>
  inBatches(ids, (batch) =>
    tables
      .insertInto('carnet_group_member')
      .values(batch.map((user_id) => ({ group_id: groupId, user_id })))
      .onConflict((conflict) => conflict.columns(['group_id', 'user_id']).doNothing())
      .returning('user_id')
      .execute(),
  );

/** Removes users from a group whose row is locked. Returns those who were members. */
export const removeMembers = (tables: Tables, groupId: string, ids: readonly string[]): Promise<readonly string[]> =>
  inBatches(ids, (batch) =>
    tables
      .deleteFrom('carnet_group_member')
      .where('group_id', '=', groupId)
      .where('user_id', 'in', batch)
      .returning('user_id')
      .execute(),
  );

/** The ids of all members. */
export const memberIds = async (tables: Tables, groupId: string): Promise<readonly string[]> => {
  const rows = await tables
    .selectFrom('carnet_group_member')
    .select('user_id')
    .where('group_id', '=', groupId)
    .execute();
  return rows.map(({ user_id }) => user_id);
};

/** Removes a user from all groups, in the transaction that deletes the user. The groups get a new version. */
export const leaveGroups = async (tables: Tables, userId: string, now: number): Promise<void> => {
  const left = await tables
    .deleteFrom('carnet_group_member')
    .where('user_id', '=', userId)
    .returning('group_id')
    .execute();
  if (left.length === 0) return;
  const ids = left.map(({ group_id }) => group_id);
  await tables
    .updateTable('carnet_group')
    .set({ updated_at: laterThanBefore(now) })
    .where('id', 'in', ids)
    .execute();
};
