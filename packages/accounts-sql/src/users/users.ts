import { randomUUID } from 'node:crypto';
import { type Claims, normaliseLogin, type PasswordHashing, passwordHashProblem } from '@carnet/accounts/directory';
import type {
  Creation,
  CreationRefusal,
  Identifier,
  NewUser,
  PasswordRulesOptions,
  PasswordSetting,
  Users,
} from '@carnet/accounts/store';
import type { AccountsDatabase } from '../database/accounts-database.ts';
import { changeEmail } from './change-email.ts';
import { problemOfClaims, updateClaims } from './claims.ts';
import { changeCredential, setCredential } from './credentials.ts';
import { createDeletions } from './deletion.ts';
import { identifiersOf } from './identifier.ts';
import { insertUsers } from './insert-users.ts';
import { createPasswordRules } from './password-rules.ts';
import { updateUser } from './update-user.ts';
import { laterThanBefore, readUser, readUserByLogin } from './user.ts';
import { readUserPage } from './user-page.ts';

export interface UsersOptions extends PasswordRulesOptions {
  readonly database: Pick<AccountsDatabase, 'tables'>;
  readonly hashing: Pick<PasswordHashing, 'hash'>;
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
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
    const hasNoName = user.email === undefined && user.username === undefined;
    const identifiers = hasNoName && user.identity !== undefined ? [] : identifiersOf(user);
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
    const { identity, externalId } = user;
    const stored = { id, state, claims: claimsOf(user), identifiers, externalId };
    const time = now();
    if ((await insertUsers(tables, [{ ...stored, passwordHash, identity }], time)).size === 0)
      return refuse('taken', 'A user with this login name or identity exists.');
    const passwordVersion = passwordHash === undefined ? 0 : 1;
    return {
      created: true,
      user: { ...stored, groups: [], passwordVersion, createdAt: time, updatedAt: time, deleteAt: undefined },
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
    update: (update) => updateUser(tables, { ...update, now: now() }),
    updateClaims: (id, changes) => updateClaims(tables, { id, changes, now: now() }),
    async setState(id, state) {
      const { numUpdatedRows } = await tables
        .updateTable('carnet_user')
        .set({ state, updated_at: laterThanBefore(now()) })
        .where('id', '=', id)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    ...createPasswordChanges(options),
    changeEmail: (change) => changeEmail(tables, change, now()),
    ...createDeletions(tables, now),
  };
};
