import type { ShownUser } from './sign-in.ts';

/** A group of users in the accounts database. Its name is in the claim `groups` of its members. */
export interface ManagedGroup {
  readonly id: string;
  readonly name: string;
  /** The id that a provisioning client (SCIM) has given to the group. */
  readonly externalId?: string | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Changes with each change of the group or its members. Over HTTP it is the `ETag`. */
  readonly version: string;
}

export interface GroupListQuery {
  /** The beginning of the name. */
  readonly search?: string | undefined;
  /** The whole name. Case, width and white space do not matter. */
  readonly name?: string | undefined;
  readonly externalId?: string | undefined;
  /** The subject of a user who is a member. */
  readonly member?: string | undefined;
  /** 1 to 500. Default 100. */
  readonly limit?: number | undefined;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
  /** How many groups are skipped. A later page costs more than with `after`. Default 0. */
  readonly offset?: number | undefined;
  /** Whether `total` is counted, which takes longer than a page. Default false. */
  readonly withTotal?: boolean | undefined;
}

export interface GroupList {
  readonly groups: readonly ManagedGroup[];
  /** The `after` of the next page; absent on the last one. */
  readonly next?: string | undefined;
  /** The number of groups on all pages. Absent without `withTotal`. */
  readonly total?: number | undefined;
}

export interface GroupCreation {
  /** No two groups have names that differ only by case, width or white space. */
  readonly name: string;
  readonly externalId?: string | undefined;
  /** The subjects of users in the accounts database, up to 10,000. */
  readonly members?: readonly string[] | undefined;
}

/** Members that are absent stay. The lists have subjects of users in the accounts database, up to 10,000. */
export interface GroupChange {
  readonly id: string;
  /** The `version` that the group must have. Default: any. */
  readonly ifVersion?: string | undefined;
  readonly name?: string | undefined;
  /** `null` removes it. */
  readonly externalId?: string | null | undefined;
  /** Replaces all members. */
  readonly members?: readonly string[] | undefined;
  /** Users to add. Members stay members. */
  readonly addMembers?: readonly string[] | undefined;
  /** Users to remove. */
  readonly removeMembers?: readonly string[] | undefined;
}

export interface GroupMemberList {
  /** In the order of their ids. */
  readonly members: readonly ShownUser[];
  /** The `after` of the next page; absent on the last one. */
  readonly next?: string | undefined;
}

/**
 * The groups of the accounts database, for administrators. A change appears in the claims of the next sign-in and of the next
 * consent. Each change leaves an audit record, and one for each user who was added or removed.
 *
 * | CarnetError | when |
 * | --- | --- |
 * | `not_found` | there is no such group |
 * | `conflict` | another group has the name |
 * | `changed` | the group has another `version` than `ifVersion` |
 * | `invalid_request` | a member is no user of the accounts database: `field` names the list |
 * | `not_supported` | no directory has the kind `sql` |
 * | `accounts_unavailable` | the accounts database does not answer |
 *
 * @example
 * const group = await carnet.groups?.create({ name: 'Sales', members: [subject] });
 */
export interface GroupOperations {
  /** A page of groups in the order of their ids. */
  list(query?: GroupListQuery): Promise<GroupList>;
  get(which: { readonly id: string }): Promise<ManagedGroup>;
  /** A page of the members of a group. `limit`: 1 to 500. Default 100. */
  members(which: {
    readonly id: string;
    readonly limit?: number | undefined;
    readonly after?: string | undefined;
  }): Promise<GroupMemberList>;
  create(group: GroupCreation): Promise<ManagedGroup>;
  /** Makes all changes that are given, or none. */
  update(change: GroupChange): Promise<ManagedGroup>;
  delete(which: { readonly id: string; readonly ifVersion?: string | undefined }): Promise<void>;
}
