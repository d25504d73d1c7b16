import type { Claims } from '../directory/index.ts';

/** A group of users in the accounts database. */
export interface Group {
  readonly id: string;
  readonly name: string;
  /** The id that a provisioning client has given to the group. */
  readonly externalId: string | undefined;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface NewGroup {
  readonly name: string;
  readonly externalId?: string | undefined;
  /** The ids of users. */
  readonly members?: readonly string[] | undefined;
}

/** Which groups a page has. */
export interface GroupQuery {
  /** The `next` of the page before. */
  readonly after?: string;
  readonly limit: number;
  /** How many groups are skipped. Default 0. */
  readonly offset?: number;
  readonly withTotal?: boolean;
  /** The whole name, in any spelling that differs by case, width or white space. */
  readonly name?: string;
  /** The beginning of the name. */
  readonly search?: string;
  readonly externalId?: string;
  /** The id of a user who is a member. */
  readonly member?: string;
}

export interface GroupPage {
  readonly groups: readonly Group[];
  /** The `after` of the next page; undefined on the last one. */
  readonly next: string | undefined;
  /** The number of groups on all pages, if the query asks for it. */
  readonly total: number | undefined;
}

export interface MemberQuery {
  /** The id of the group. */
  readonly id: string;
  /** The id of the last member of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A member of a group, with the claims that are stored with the user. */
export interface GroupMember {
  readonly id: string;
  readonly claims: Claims;
}

/** A change of a group. `members` replaces all members; `add` and `remove` are applied after it. They are ids of users. */
export interface GroupUpdate {
  readonly id: string;
  /** The `updatedAt` that the group must have: another one means that the group was changed meanwhile. */
  readonly version?: number | undefined;
  readonly name?: string | undefined;
  readonly externalId?: string | null | undefined;
  readonly members?: readonly string[] | undefined;
  readonly add?: readonly string[] | undefined;
  readonly remove?: readonly string[] | undefined;
}

/** `changed`: the group has another version. `taken`: another group has the name. `unknown_member`: no user has the id. */
export type GroupRefusal =
  | { readonly updated: false; readonly reason: 'not_found' | 'changed' | 'taken' }
  | { readonly updated: false; readonly reason: 'unknown_member'; readonly member: string };

/** The ids of the users who were no members before, and of those who are none any more. */
export type GroupUpdateResult =
  | { readonly updated: true; readonly added: readonly string[]; readonly removed: readonly string[] }
  | GroupRefusal;

/**
 * The groups of the accounts database. Laws:
 *
 * - A name belongs to one group. Names that differ by case, width or white space are equal.
 * - A change is made as a whole or not at all.
 * - A member is a user: `Users.remove` removes the user from all groups in the same commit.
 */
export interface GroupStore {
  create(group: NewGroup): Promise<{ readonly updated: true; readonly group: Group } | GroupRefusal>;
  show(id: string): Promise<Group | undefined>;
  /** A page in the order of the ids. */
  list(query: GroupQuery): Promise<GroupPage>;
  /** A page of the members, in the order of their ids. Empty for an unknown group. */
  members(query: MemberQuery): Promise<readonly GroupMember[]>;
  update(update: GroupUpdate): Promise<GroupUpdateResult>;
  /** @param version the `updatedAt` that the group must have. Default: any */
  remove(id: string, version?: number): Promise<GroupUpdateResult>;
}
