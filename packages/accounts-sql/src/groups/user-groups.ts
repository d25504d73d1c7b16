import type { Claims } from '@carnet/accounts/directory';
import type { GroupName } from '@carnet/accounts/store';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';

/** No name of a group has a line feed. */
const separator = '\n';

/** The names of the groups of the user in this row, as one text: null without a group. */
export const groupNamesOfUser = sql<string | null>`(
  select string_agg(carnet_group.name, ${separator}) from carnet_group_member
  inner join carnet_group on carnet_group.id = carnet_group_member.group_id
  where carnet_group_member.user_id = carnet_user.id)`;

const textsIn = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === 'string');

/** The claims of a user with the names of the groups, added to those that the claim `groups` has already. */
export const withGroups = (claims: Claims, names: string | null): Claims =>
  names === null
    ? claims
    : { ...claims, groups: [...new Set([...textsIn(claims.groups), ...names.split(separator)])].toSorted() };

/** The groups of each of these users. */
export const readGroupsOf = async (
  tables: Kysely<Schema>,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, readonly GroupName[]>> => {
  const groups = new Map<string, GroupName[]>();
  if (userIds.length === 0) return groups;
  const rows = await tables
    .selectFrom('carnet_group_member')
    .innerJoin('carnet_group', 'carnet_group.id', 'carnet_group_member.group_id')
    .select(['user_id', 'id', 'name'])
    .where('user_id', 'in', userIds)
    .orderBy('name_key')
    .execute();
  for (const { user_id, id, name } of rows) groups.set(user_id, [...(groups.get(user_id) ?? []), { id, name }]);
  return groups;
};
