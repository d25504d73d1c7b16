import type { ShownFactor } from './factors.ts';
import type { LinkedIdentity } from './providers.ts';

/** The state of a user. Only `active` users sign in. */
export type UserState = 'active' | 'disabled' | 'locked';

/** A user as administrators see it. The members after `claims` are those of users in the accounts database. */
export interface ManagedUser {
  readonly subject: string;
  /** The name of the directory. */
  readonly directory: string;
  readonly state: UserState;
  /** The login names that are known. */
  readonly logins: readonly string[];
  readonly claims: Readonly<Record<string, unknown>>;
  /** The groups of the accounts database, in the order of their names. */
  readonly groups?: readonly { readonly id: string; readonly name: string }[] | undefined;
  /** The id that a provisioning client (SCIM) has given to the user. */
  readonly externalId?: string | undefined;
  readonly hasPassword?: boolean | undefined;
  readonly createdAt?: Date | undefined;
  readonly updatedAt?: Date | undefined;
  /** When the user is deleted, if the user has asked for it. */
  readonly deleteAt?: Date | undefined;
  /** Changes with each change of the user by `update`. Over HTTP it is the `ETag`. */
  readonly version?: string | undefined;
}

export interface UserListQuery {
  /** The beginning of a login name, of the claim `name` or of `family_name`: of users in the accounts database. */
  readonly search?: string | undefined;
  /** The whole login name of a user in any directory. */
  readonly login?: string | undefined;
  readonly state?: UserState | undefined;
  /** The whole `externalId`, of users in the accounts database. `search` is not used with it. */
  readonly externalId?: string | undefined;
  /** 1 to 500. Default 100. */
  readonly limit?: number | undefined;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
  /** How many users are skipped. A later page costs more than with `after`. Default 0. */
  readonly offset?: number | undefined;
  /** Whether `total` is counted, which takes longer than a page. Default false. */
  readonly withTotal?: boolean | undefined;
}

export interface UserList {
  readonly users: readonly ManagedUser[];
  /** The `after` of the next page; absent on the last one. */
  readonly next?: string | undefined;
  /** The number of users on all pages. Absent without `withTotal`, and with `login`. */
  readonly total?: number | undefined;
}

export interface UserCreation {
  /** A login name. An email address, a user name, or both are required. */
  readonly email?: string | undefined;
  /** Whether the address is known to belong to the user. Default false. */
  readonly emailVerified?: boolean | undefined;
  readonly username?: string | undefined;
  /** Without a password, the user sets one with an invitation or a recovery link. */
  readonly password?: string | undefined;
  /** Sends an email with a link, with which the user chooses the password: `invite`. Needs `email`, and excludes a password. */
  readonly invite?: boolean | undefined;
  /** A hash instead of a password. The password rules do not apply to it. */
  readonly passwordHash?: string | undefined;
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
  /** Default `active`. */
  readonly state?: UserState | undefined;
  readonly externalId?: string | undefined;
}

/** `null` removes a login name, a claim or `externalId`. Members that are absent stay. */
export interface UserChange {
  readonly subject: string;
  /** The `version` that the user must have. Default: any. */
  readonly ifVersion?: string | undefined;
  readonly email?: string | null | undefined;
  /** Default for a new address: false. */
  readonly emailVerified?: boolean | undefined;
  readonly username?: string | null | undefined;
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
  /** `disabled` and `locked` end the access of the user, as `disable` does. */
  readonly state?: UserState | undefined;
  readonly externalId?: string | null | undefined;
}

/** The second factors and identities of a user, without secrets. */
export interface UserCredentials {
  readonly factors: readonly ShownFactor[];
  readonly identities: readonly LinkedIdentity[];
}

/**
 * The users, for administrators. Users of the accounts database (a directory of the kind `sql`) are listed, searched and changed;
 * users of other directories are found by subject and login name, and their access can be ended. Each change leaves an audit
 * record.
 *
 * | CarnetError | when |
 * | --- | --- |
 * | `not_found` | no directory has the user |
 * | `conflict` | the login name belongs to another user: `field` names the member |
 * | `changed` | the user has another `version` than `ifVersion` |
 * | `invalid_request` | a member is not valid, or a user cannot be invited, such as one with a password: `field` names the member |
 * | `not_supported` | the directory of the user is read-only, no directory has the kind `sql`, or `invite` has no mail server |
 * | `accounts_unavailable` | a directory or the accounts database does not answer |
 * | `storage_unavailable` | the sessions and tokens could not be revoked: repeat the call |
 *
 * @example
 * const { users } = (await carnet.users?.list({ search: 'ada' })) ?? { users: [] };
 * for (const { subject } of users) await carnet.users?.disable({ subject });
 */
export interface UserOperations {
  /** A page of users in the order of their ids. */
  list(query?: UserListQuery): Promise<UserList>;
  get(which: { readonly subject: string }): Promise<ManagedUser>;
  create(user: UserCreation): Promise<ManagedUser>;
  /**
   * Sends a user of the accounts database who has no password an invitation: an email with a link that is valid for
   * `accounts.invitations.validSeconds`. With it, the user chooses the password and confirms the address. Earlier links become
   * void.
   */
  invite(which: { readonly subject: string }): Promise<ManagedUser>;
  /** Changes all members that are given, or none. */
  update(change: UserChange): Promise<ManagedUser>;
  /**
   * Disables a user and ends all access: sessions (with back-channel logout), consents, grants and tokens, and the entries of
   * the user caches. Until no sign-in from before can be completed, the revocation is repeated. A second call has the same
   * result.
   */
  disable(which: { readonly subject: string }): Promise<ManagedUser>;
  /**
   * Deletes a user with login names, password, second factors, identities at providers and memberships in groups, and ends all
   * access as `disable` does. Of a user who was removed from another directory, it removes the second factors and identities.
   */
  delete(which: { readonly subject: string; readonly ifVersion?: string | undefined }): Promise<void>;
  /** Ends sessions and tokens of a user of any directory, such as one that was disabled there. The user may sign in again. */
  endSessions(which: { readonly subject: string }): Promise<void>;
  /** Forgets failed attempts of a user of any directory, and makes a `locked` user of the accounts database `active`. */
  unlock(which: { readonly subject: string }): Promise<ManagedUser>;
  /** The second factors and the identities at providers of a user of any directory. Unknown users have none. */
  credentials(which: { readonly subject: string }): Promise<UserCredentials>;
  /** Removes all second factors of a user who has lost them. The user is notified by email. */
  resetFactors(which: { readonly subject: string }): Promise<{ readonly removed: number }>;
  /** Removes an identity at a provider, also the last way to sign in. The user is notified by email. */
  unlinkIdentity(which: { readonly subject: string; readonly id: string }): Promise<void>;
  /**
   * Sends an active user of the accounts database an email with a link, with which the user sets a new password. Needs
   * `accounts.recovery.enabled`. The password stays valid until then.
   *
   * @param which.linkBase the page of the link, at an origin of the login app. Default: that of the bundled pages
   */
  sendRecovery(which: { readonly subject: string; readonly linkBase?: string | undefined }): Promise<void>;
}
