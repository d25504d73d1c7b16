/** OpenID Connect claims of a user by name (OpenID Connect Core, section 5.1), and `groups`. */
export type Claims = Readonly<Record<string, unknown>>;

/** A user as one directory knows it. */
export interface DirectoryUser {
  /**
   * Identifies the user in this directory for ever: `entryUUID`, `objectGUID`, the id of a row. Never a DN, a login name or
   * an email address, because these are given to other users later.
   */
  readonly id: string;
  /** The directory's own address of the user, such as a DN. Only the directory that returned it reads it. */
  readonly handle: string;
  readonly claims: Claims;
  /**
   * Present if the directory knows without a password that the user may not sign in. `load` must report `disabled` and
   * `locked` here: a sign-in with a passkey has no other check.
   */
  readonly refusal?: Refusal | undefined;
  /**
   * Changes with each change of the password, if the directory knows it. After a change, a sign-in that began with the old
   * password cannot be resumed.
   */
  readonly passwordVersion?: string | undefined;
}

/** The reason for a refused password. It is for the audit log only: the user gets one message for all of them. */
export type Refusal =
  | 'wrong_password'
  | 'unknown_user'
  | 'locked'
  | 'disabled'
  | 'expired'
  | 'password_change_required';

export type Verdict = { readonly accepted: true } | { readonly accepted: false; readonly reason: Refusal };

/** The result of a change of the password. `weak_password`: the directory's rules refuse the new one. */
export type PasswordChange =
  | { readonly changed: true }
  | { readonly changed: false; readonly reason: Refusal | 'weak_password'; readonly message?: string };

/** One step of a health check, in the order of execution. */
export interface CheckStep {
  /** The server or file, without credentials. */
  readonly target: string;
  /** `connect`, `tls`, `bind`, `search` ... */
  readonly step: string;
  readonly ok: boolean;
  /** The duration in milliseconds. */
  readonly ms: number;
  /** The server's answer, or the remedy. */
  readonly detail?: string;
}

/**
 * A user directory. Laws (`@carnet/accounts/directory/laws`):
 *
 * - An outage is a `DirectoryError` with the code `unavailable`. It is never "no such user" or "wrong password".
 * - `find` accepts no pattern and no DN in place of a login name. `verify` accepts no empty password and no NUL bytes.
 * - `verify` takes as long for a wrong password as `verifyUnknown` does.
 */
export interface Directory {
  /** The name in the configuration. Part of each subject: never change it. */
  readonly name: string;
  /**
   * The user with this login name, which is already normalised and without its realm. Each call returns an object of its
   * own.
   *
   * @throws DirectoryError `unavailable`, or `ambiguous` if two users match
   */
  find(login: string): Promise<DirectoryUser | undefined>;
  /** The user with this id, with its current claims. @throws DirectoryError `unavailable` */
  load(id: string): Promise<DirectoryUser | undefined>;
  /** Checks the password. @throws DirectoryError `unavailable` */
  verify(user: DirectoryUser, password: string): Promise<Verdict>;
  /**
   * Takes as long as `verify` with a wrong password, so that the duration does not reveal which users exist. `login` is the
   * unknown login: where users take turns, unknown users take turns in the same way.
   */
  verifyUnknown(password: string, login: string): Promise<void>;
  /**
   * Finds the user and checks the password with one request. Present if the protocol of the directory
   * works this way; callers then use it instead of `find` and `verify`. Returns undefined if the user is unknown or the
   * password is wrong.
   *
   * @throws DirectoryError `unavailable`
   */
  authenticate?(login: string, password: string): Promise<DirectoryUser | undefined>;
  /** Absent if the directory is read-only. */
  changePassword?(user: DirectoryUser, current: string, next: string): Promise<PasswordChange>;
  /** Checks connection, credentials and search base. Never throws: a failure is a step with `ok: false`. */
  check(): Promise<readonly CheckStep[]>;
  close(): Promise<void>;
}
