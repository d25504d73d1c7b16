import {
  type CheckStep,
  createPasswordCheck,
  type Directory,
  type DirectoryUser,
  normaliseLogin,
  type PasswordCheck,
  type PasswordHashing,
  type Verdict,
} from '@carnet/accounts/directory';
import type { PasswordRulesOptions, UserSummary } from '@carnet/accounts/store';
import type { AccountsDatabase } from '../database/accounts-database.ts';
import { changeCredential, readCredential, readSampleHashes, replaceHash } from '../users/credentials.ts';
import { createPasswordRules } from '../users/password-rules.ts';
import { readSummary, readSummaryByLogin, readUser } from '../users/user.ts';
import { wordsOf } from '../users/users.ts';

export interface SqlDirectoryOptions extends PasswordRulesOptions {
  /** The caller closes it, after the directory. */
  readonly database: Pick<AccountsDatabase, 'tables' | 'ping'>;
  /** The name in the configuration. */
  readonly name: string;
  readonly hashing: PasswordHashing;
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

const refused = (reason: 'wrong_password' | 'unknown_user' | 'disabled' | 'locked'): Verdict => ({
  accepted: false,
  reason,
});

const toDirectoryUser = (user: UserSummary | undefined): DirectoryUser | undefined =>
  user && {
    id: user.id,
    handle: user.id,
    claims: user.claims,
    ...(user.state !== 'active' && { refusal: user.state }),
    passwordVersion: `${user.passwordVersion}`,
  };

/** Whether a text can be an id. Other texts are not looked up: Postgres would fail for a text with NUL. */
const isId = (id: string): boolean => /^[!-~]{1,200}$/.test(id);

/** Whether a text can be a password. Empty texts and NUL bytes are refused, even if an imported hash matches. */
const isPassword = (password: string): boolean =>
  password !== '' && !password.includes('\0') && password.length <= 1024;

/** The kinds of hashes in the database decide how long a refusal takes. They are read once, before the first check. */
const openPasswordCheck = ({ database, hashing }: SqlDirectoryOptions): (() => Promise<PasswordCheck>) => {
  let opened: PasswordCheck | undefined;
  return async () => {
    opened ??= createPasswordCheck(hashing, [hashing.decoy, ...(await readSampleHashes(database.tables))]);
    return opened;
  };
};

const createVerify = (
  { database: { tables }, hashing, name }: SqlDirectoryOptions,
  passwordCheck: () => Promise<PasswordCheck>,
) => {
  /** Replaces an imported or weak hash. A failure is ignored: the next sign-in tries again. */
  const rehash = async (userId: string, from: string, password: string): Promise<void> => {
    const to = await hashing.hash(password, userId);
    await replaceHash(tables, { userId, from, to });
  };
  return async ({ id }: DirectoryUser, password: string): Promise<Verdict> => {
    const credential = await readCredential(tables, id);
    const hash = isPassword(password) ? (credential?.hash ?? undefined) : undefined;
    // The hash is compared in every case, so that the duration does not reveal the reason for a refusal.
    const matches = await (await passwordCheck()).matches(hash, password, `${name} ${id}`);
    if (credential === undefined) return refused('unknown_user');
    if (hash === undefined || !matches) return refused('wrong_password');
    if (credential.state !== 'active') return refused(credential.state);
    if (hashing.needsRehash(hash)) await rehash(id, hash, password).catch(() => {});
    return { accepted: true };
  };
};

const createChangePassword = (
  { database: { tables }, hashing, now = Date.now, ...options }: SqlDirectoryOptions,
  verify: ReturnType<typeof createVerify>,
): NonNullable<Directory['changePassword']> => {
  const rules = createPasswordRules(options);
  return async (user, current, next) => {
    // The version is read before the check, so that a change in between is detected.
    const known = await readUser(tables, user.id);
    const verdict = await verify(user, current);
    if (!verdict.accepted) return { changed: false, reason: verdict.reason };
    const problem = await rules.problemOf(next, known === undefined ? [] : wordsOf(known.identifiers, known.claims));
    if (problem !== undefined) return { changed: false, reason: 'weak_password', message: problem };
    const change = { userId: user.id, hash: await hashing.hash(next, user.id), now: now() };
    return (await changeCredential(tables, known?.passwordVersion ?? 0, change))
      ? { changed: true }
      : { changed: false, reason: 'wrong_password' };
  };
};

/** The users of the accounts database as a directory. */
export const openSqlDirectory = (options: SqlDirectoryOptions): Directory => {
  const { database, name } = options;
  const passwordCheck = openPasswordCheck(options);
  const verify = createVerify(options, passwordCheck);
  return {
    name,
    async find(login) {
      const normalised = normaliseLogin(login);
      return normalised === undefined
        ? undefined
        : toDirectoryUser(await readSummaryByLogin(database.tables, normalised));
    },
    load: async (id) => (isId(id) ? toDirectoryUser(await readSummary(database.tables, id)) : undefined),
    verify,
    async verifyUnknown(password, login) {
      await readCredential(database.tables, login);
      await (await passwordCheck()).matches(undefined, password, `${name} ${login}`);
    },
    changePassword: createChangePassword(options, verify),
    async check(): Promise<readonly CheckStep[]> {
      const begin = performance.now();
      const step = { target: 'the accounts database', step: 'schema' };
      try {
        await database.ping();
        return [{ ...step, ok: true, ms: performance.now() - begin }];
      } catch (error) {
        return [{ ...step, ok: false, ms: performance.now() - begin, detail: (error as Error).message }];
      }
    },
    async close() {},
  };
};
