import type { Claims } from '@carnet/accounts/directory';
import type { GroupName } from '@carnet/accounts/store';
import { sql } from 'kysely';

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

/** The groups of the user in this row, in the order of their names, as one text: null without a group. */
export const groupsOfUser = sql<string | null>`(
  select string_agg(carnet_group.id || ' ' || carnet_group.name, ${separator} order by carnet_group.name_key)
  from carnet_group_member inner join carnet_group on carnet_group.id = carnet_group_member.group_id
  where carnet_group_member.user_id = carnet_user.id)`;

/** The groups in the text of `groupsOfUser`. */
export const groupsIn = (text: string | null): readonly GroupName[] =>
  (text?.split(separator) ?? []).map((line) => {
    const end = line.indexOf(' ');
    return { id: line.slice(0, end), name: line.slice(end + 1) };
  });
