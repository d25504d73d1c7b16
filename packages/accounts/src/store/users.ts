import type { Claims } from '../directory/index.ts';
import type { NewIdentity } from './identity-store.ts';

/** The state of a user. Only `active` users sign in. */
export type UserState = 'active' | 'disabled' | 'locked';

export type IdentifierKind = 'email' | 'username';

/** A login name of a user. `value` is normalised. */
export interface Identifier {
  readonly kind: IdentifierKind;
  readonly value: string;
}

/** The part of a user that a sign-in needs. The claim `groups` has the names of the user's groups, too. */
export interface UserSummary {
  readonly id: string;
  readonly state: UserState;
  readonly claims: Claims;
  /** 0 without a password. Increased by each change of the password. */
  readonly passwordVersion: number;
}

/** A group as a user shows it. */
export interface GroupName {
  readonly id: string;
  readonly name: string;
}

/** A user of the accounts database. `claims` has no groups of the accounts database. */
export interface User extends UserSummary {
  /** In the order of their names. */
  readonly groups: readonly GroupName[];
  /** The id that a provisioning client has given to the user. */
  readonly externalId: string | undefined;
  readonly identifiers: readonly Identifier[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When the user is deleted, in milliseconds since 1970; undefined unless the user has asked for it. */
  readonly deleteAt: number | undefined;
}

export interface UserPage {
  readonly users: readonly User[];
  /** The `after` of the next page; undefined on the last one. */
  readonly next: string | undefined;
  /** The number of users on all pages, if the query asks for it. */
  readonly total?: number | undefined;
}

/** Which users a page has. */
export interface UserQuery {
  /** The `next` of the page before. */
  readonly after?: string;
  readonly limit: number;
  /** The beginning of a login name, of the claim `name` or of `family_name`. Default: every user. */
  readonly search?: string;
  readonly state?: UserState;
  /** The whole id that a provisioning client has given to the user. `search` is not used with it. */
  readonly externalId?: string;
  /** How many users are skipped. A later page costs more than with `after`. Default 0. */
  readonly offset?: number;
  readonly withTotal?: boolean;
}

/** A change of a user by an administrator. `null` removes a login name or a claim. */
export interface UserUpdate {
  readonly id: string;
  /** The `updatedAt` that the user must have: another one means that the user was changed meanwhile. */
  readonly version?: number | undefined;
  readonly email?: string | null | undefined;
  readonly emailVerified?: boolean | undefined;
  readonly username?: string | null | undefined;
  readonly claims?: Claims | undefined;
  readonly state?: UserState | undefined;
  readonly externalId?: string | null | undefined;
}

/** `changed`: the user has another version. `taken`: a login name belongs to another user. `last_login`: no login name is left. */
export type UserUpdateResult =
  | { readonly updated: true }
  | {
      readonly updated: false;
      readonly reason: 'not_found' | 'changed' | 'taken' | 'last_login' | 'invalid_email' | 'invalid_username';
    }
  | { readonly updated: false; readonly reason: 'invalid_claims'; readonly message: string };

export type ClaimsUpdate =
  | { readonly updated: true }
  | { readonly updated: false; readonly reason: 'not_found' }
  | { readonly updated: false; readonly reason: 'invalid_claims'; readonly message: string };

/** A new email address whose owner has confirmed it. */
export interface EmailChange {
  readonly id: string;
  /** The address that the user had when the change was requested, normalised; undefined for a user without one. */
  readonly from: string | undefined;
  /** Normalised. */
  readonly to: string;
  /** The version of the password when the change was requested. */
  readonly passwordVersion: number;
}

/** `stale`: the password or the address was changed since the request, or the user is not active. */
export type EmailSetting = { readonly changed: true } | { readonly changed: false; readonly reason: 'stale' | 'taken' };

/** A user to create: an email address, a user name, or both; a user with an identity may have neither. */
export interface NewUser {
  readonly email?: string;
  /** Whether the address is known to belong to the user. Default false. */
  readonly emailVerified?: boolean;
  readonly username?: string;
  /** Must satisfy the password rules. Without a password or a hash, the user must first set one by a recovery link. */
  readonly password?: string;
  /** A hash instead of a password. The password rules do not apply to it. */
  readonly passwordHash?: string;
  readonly claims?: Claims;
  /** Default `active`. */
  readonly state?: UserState;
  /** The id that a provisioning client gives to the user. */
  readonly externalId?: string | undefined;
  /** The identity with which the user signs in. It is linked in the same commit. `since`: as in `IdentityStore.link`. */
  readonly identity?: NewIdentity & {
    /** The text before the user's id in the subject. */
    readonly subjectPrefix: string;
    readonly since: number;
  };
}

/** `taken`: another user has the login name, or the identity. */
export type CreationRefusal = 'taken' | 'invalid_login' | 'invalid_claims' | 'weak_password' | 'unsupported_hash';

export type Creation =
  | { readonly created: true; readonly user: User }
  | { readonly created: false; readonly reason: CreationRefusal; readonly message: string };

export type PasswordSetting =
  | { readonly changed: true }
  | { readonly changed: false; readonly reason: 'not_found' | 'stale' }
  | { readonly changed: false; readonly reason: 'weak_password'; readonly message: string };

/** The users of the accounts database. Every function throws DirectoryError `unavailable` in an outage. */
export interface Users {
  create(user: NewUser): Promise<Creation>;
  /** The user with this login name, in any spelling that `normaliseLogin` treats as equal. */
  find(login: string): Promise<User | undefined>;
  show(id: string): Promise<User | undefined>;
  /** A page of up to `limit` users; `next` is the `after` of the following page. */
  list(query: UserQuery): Promise<UserPage>;
  /** Changes all members that are given, or none. */
  update(update: UserUpdate): Promise<UserUpdateResult>;
  /** Sets claims; `null` removes one. Login names and claims of the protocol are refused. */
  updateClaims(id: string, changes: Claims): Promise<ClaimsUpdate>;
  /** @returns false if there is no such user */
  setState(id: string, state: UserState): Promise<boolean>;
  /** Sets a password without a check of the current one, for administrators. Recovery links become invalid. */
  setPassword(id: string, password: string): Promise<PasswordSetting>;
  /**
   * Sets a password by a recovery link. `stale`: the password was changed since the link was sealed, or the user is not
   * active.
   */
  resetPassword(reset: {
    readonly id: string;
    readonly passwordVersion: number;
    readonly password: string;
  }): Promise<PasswordSetting>;
  /** Replaces the email address with a confirmed one. `taken`: it is the login name of another user. */
  changeEmail(change: EmailChange): Promise<EmailSetting>;
  /**
   * Sets when the user is deleted, in milliseconds since 1970, unless it is set already.
   *
   * @returns the time that is stored; undefined if there is no such user
   */
  scheduleDeletion(id: string, at: number): Promise<number | undefined>;
  /** Keeps a user who was to be deleted. @returns false if the user was not, or if it is too late */
  cancelDeletion(id: string): Promise<boolean>;
  /** When the user is deleted, in milliseconds since 1970; undefined for a user who is not, 0 for one who no longer exists. */
  deletionOf(id: string): Promise<number | undefined>;
  /** The ids of up to `limit` users whose time has come. `removeDue` removes them. */
  listDue(limit: number): Promise<readonly string[]>;
  /**
   * Removes a user with its login names, password, links and memberships in groups, and the second factors of its subject.
   *
   * @param version the `updatedAt` that the user must have. Default: any
   */
  remove(id: string, subject: string, version?: number): Promise<boolean>;
  /** As `remove`, if the time of the user has come. Of several processes, one gets `true`. */
  removeDue(id: string, subject: string): Promise<boolean>;
  /** The reason why a password is refused for a user with these login names; undefined if it is accepted. */
  passwordProblem(password: string, words: readonly string[]): Promise<string | undefined>;
}
