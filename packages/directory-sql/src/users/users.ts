import { randomUUID } from 'node:crypto';
import { type Claims, normaliseLogin, type PasswordHashing, passwordHashProblem } from '@carnet/directory';
import type { AccountsDatabase } from '../database/accounts-database.ts';
import type { UserState } from '../database/schema.ts';
import { changeEmail, type EmailChange, type EmailSetting } from './change-email.ts';
import { type ClaimsUpdate, problemOfClaims, updateClaims } from './claims.ts';
import { changeCredential, setCredential } from './credentials.ts';
import { cancelDeletion, readDeletion, readDue, removeUser, scheduleDeletion } from './deletion.ts';
import { type Identifier, identifiersOf } from './identifier.ts';
import { insertUsers } from './insert-users.ts';
import { createPasswordRules, type PasswordRulesOptions } from './password-rules.ts';
import { readUser, readUserByLogin, readUserPage, type User, type UserPage } from './user.ts';

export interface UsersOptions extends PasswordRulesOptions {
  readonly database: Pick<AccountsDatabase, 'tables'>;
  readonly hashing: Pick<PasswordHashing, 'hash'>;
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** A user to create: an email address, a user name, or both. */
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
}

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
  list(page: { readonly after?: string; readonly limit: number }): Promise<UserPage>;
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
  /** Removes a user with its login names, password and links, and the second factors of its subject. */
  remove(id: string, subject: string): Promise<boolean>;
  /** As `remove`, if the time of the user has come. Of several processes, one gets `true`. */
  removeDue(id: string, subject: string): Promise<boolean>;
  /** The reason why a password is refused for a user with these login names; undefined if it is accepted. */
  passwordProblem(password: string, words: readonly string[]): Promise<string | undefined>;
}

/** The claims that follow from the login names. */
export const claimsOf = ({ email, emailVerified = false, username, claims = {} }: NewUser): Claims => ({
  ...(username !== undefined && { preferred_username: username }),
  ...(email !== undefined && { email, email_verified: emailVerified }),
  ...claims,
});

const refuse = (reason: CreationRefusal, message: string): Creation => ({ created: false, reason, message });

const createCreate = ({ database: { tables }, hashing, now = Date.now, ...options }: UsersOptions) => {
  const rules = createPasswordRules(options);
  return async (user: NewUser): Promise<Creation> => {
    const { password, claims = {}, state = 'active' } = user;
    const identifiers = identifiersOf(user);
    if (identifiers === undefined) return refuse('invalid_login', 'Give a valid email address or user name.');
    const problem = problemOfClaims(claims);
    if (problem !== undefined) return refuse('invalid_claims', problem);
    const hashProblem = user.passwordHash === undefined ? undefined : passwordHashProblem(user.passwordHash);
    if (hashProblem !== undefined) return refuse('unsupported_hash', `The password hash ${hashProblem}.`);
    if (password !== undefined) {
      const weakness = await rules.problemOf(password, wordsOf(identifiers, claims));
      if (weakness !== undefined) return refuse('weak_password', weakness);
    }
    const id = randomUUID();
    const passwordHash = password === undefined ? user.passwordHash : await hashing.hash(password, id);
    const stored = { id, state, claims: claimsOf(user), identifiers };
    const time = now();
    if ((await insertUsers(tables, [{ ...stored, passwordHash }], time)).size === 0)
      return refuse('taken', 'A user with this login name exists.');
    const passwordVersion = passwordHash === undefined ? 0 : 1;
    return {
      created: true,
      user: { ...stored, passwordVersion, createdAt: time, updatedAt: time, deleteAt: undefined },
    };
  };
};

/** The words that an attacker who knows the user tries first. */
export const wordsOf = (identifiers: readonly Identifier[], { name }: Claims): readonly string[] => [
  ...identifiers.map(({ value }) => value),
  ...(typeof name === 'string' ? [name] : []),
];

const createPasswordChanges = ({ database, hashing, now = Date.now, ...options }: UsersOptions) => {
  const { tables } = database;
  const rules = createPasswordRules(options);
  /** `change` stores the hash, if the password is accepted. */
  const set = async (
    id: string,
    password: string,
    change: (hash: string) => Promise<boolean>,
  ): Promise<PasswordSetting> => {
    const user = await readUser(tables, id);
    if (user === undefined) return { changed: false, reason: 'not_found' };
    const problem = await rules.problemOf(password, wordsOf(user.identifiers, user.claims));
    if (problem !== undefined) return { changed: false, reason: 'weak_password', message: problem };
    return (await change(await hashing.hash(password, id))) ? { changed: true } : { changed: false, reason: 'stale' };
  };
  const setPassword: Users['setPassword'] = (id, password) =>
    set(id, password, (hash) => setCredential(tables, { userId: id, hash, now: now() }));
  const resetPassword: Users['resetPassword'] = ({ id, passwordVersion, password }) =>
    set(id, password, (hash) => changeCredential(tables, passwordVersion, { userId: id, hash, now: now() }));
  return { setPassword, resetPassword, passwordProblem: rules.problemOf };
};

/** The management of users. */
export const createUsers = (options: UsersOptions): Users => {
  const { database, now = Date.now } = options;
  const { tables } = database;
  return {
    create: createCreate(options),
    async find(login) {
      const normalised = normaliseLogin(login);
      return normalised === undefined ? undefined : readUserByLogin(tables, normalised);
    },
    show: (id) => readUser(tables, id),
    list: (page) => readUserPage(tables, page),
    updateClaims: (id, changes) => updateClaims(tables, { id, changes, now: now() }),
    async setState(id, state) {
      const { numUpdatedRows } = await tables
        .updateTable('carnet_user')
        .set({ state, updated_at: now() })
        .where('id', '=', id)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    ...createPasswordChanges(options),
    changeEmail: (change) => changeEmail(tables, change, now()),
    scheduleDeletion: (id, at) => scheduleDeletion(tables, { id, at }),
    cancelDeletion: (id) => cancelDeletion(tables, { id, now: now() }),
    deletionOf: (id) => readDeletion(tables, id),
    listDue: (limit) => readDue(tables, { now: now(), limit }),
    remove: (id, subject) => removeUser(tables, { id, subject }),
    removeDue: (id, subject) => removeUser(tables, { id, subject, dueBy: now() }),
  };
};
