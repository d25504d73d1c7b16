import type { CheckStep, Claims, PasswordChange, Refusal } from './port.ts';

/** A user of any directory. */
export interface Account {
  /**
   * The subject (`sub`): the directory's `subjectPrefix` (default: its name and a dot) and the user's id. Two directories
   * never share a prefix, so that no user of one directory gets the subject of a user of another.
   */
  readonly subject: string;
  readonly directory: string;
  readonly realm: string | undefined;
  /** The normalised login name with which the user was found; undefined after `load`. */
  readonly login: string | undefined;
  readonly claims: Claims;
  /** As in `DirectoryUser`. */
  readonly refusal?: Refusal | undefined;
  /** As in `DirectoryUser`. */
  readonly passwordVersion?: string | undefined;
}

/** `account` is present if the user is known, for the audit log and the counting of attempts. */
export type Authentication =
  | { readonly accepted: true; readonly account: Account }
  | { readonly accepted: false; readonly reason: Refusal; readonly account?: Account };

/** An ordered list of directories with realms. */
export interface Directories {
  /** The realm that a login names by suffix or prefix; undefined without one. Reveals nothing about users. */
  realmOf(login: string): string | undefined;
  /**
   * The text by which guesses for a login are counted: the realm, and the login as its first directory is asked. Equal for all
   * spellings that are looked up alike. Reveals nothing about users.
   */
  lookupKey(login: string): string;
  /**
   * Finds the user and checks the password. The answer takes as long for an unknown user as for a wrong password.
   *
   * @param mayCheck called with the subject of the user who was found, before the password is checked. If it resolves with
   * false, such as beyond a limit of guesses, every password is answered as a wrong one, in the same time
   * @param among the names of the directories that are asked. Default: all
   * @throws DirectoryError `unavailable` if a directory that is not `optional` fails: later directories are not asked then
   */
  authenticate(
    login: string,
    password: string,
    mayCheck?: (subject: string) => Promise<boolean>,
    among?: readonly string[],
  ): Promise<Authentication>;
  /** @param among the names of the directories that are asked. Default: all */
  find(login: string, among?: readonly string[]): Promise<Account | undefined>;
  /** The user with this subject; the prefix decides which directory is asked. */
  load(subject: string): Promise<Account | undefined>;
  /** @throws DirectoryError `not_supported` if the user's directory is read-only */
  changePassword(subject: string, current: string, next: string): Promise<PasswordChange>;
  canChangePassword(subject: string): boolean;
  check(): Promise<readonly { readonly directory: string; readonly steps: readonly CheckStep[] }[]>;
  /** Removes users from the cache: of a directory, with a login, or all. Returns how many were removed. */
  purge(which: { readonly directory?: string; readonly login?: string }): Promise<number>;
  close(): Promise<void>;
}
