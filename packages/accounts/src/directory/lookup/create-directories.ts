import { createCachedDirectory } from '../cache/cached-directory.ts';
import type { Account, Authentication, Directories } from '../directories.ts';
import { DirectoryError } from '../directory-error.ts';
import { normaliseLogin } from '../logins/normalise-login.ts';
import type { DirectoryUser, PasswordChange } from '../port.ts';
import { authenticate } from './authenticate.ts';
import type { DirectoryEntry } from './directory-entry.ts';
import { entryProblems } from './entry-problems.ts';
import { findUser } from './find-user.ts';
import { createRealms, realmNameOf } from './realms.ts';
import { createSubjects } from './subjects.ts';

const maxPasswordLength = 1024;

/** No user has such a password. An empty password and NUL would be accepted by some LDAP servers and some hashes. */
const isImpossible = (password: string): boolean =>
  password === '' || password.length > maxPasswordLength || password.includes('\0');

const withCache = (entry: DirectoryEntry) => {
  const cached = entry.cache && createCachedDirectory({ directory: entry.directory, ...entry.cache });
  return { ...entry, directory: cached ?? entry.directory, purge: cached?.purge };
};

type Entry = ReturnType<typeof withCache>;

/** Removes users from the caches of the entries. A login may include its realm. */
const purgeCaches = async (
  entries: readonly Entry[],
  resolve: ReturnType<typeof createRealms>,
  which: { readonly directory?: string; readonly login?: string },
): Promise<number> => {
  const login = which.login === undefined ? undefined : normaliseLogin(which.login);
  if (which.login !== undefined && login === undefined) return 0;
  const candidates = login === undefined ? [] : resolve(login).candidates;
  const removed = entries
    .filter(({ directory }) => which.directory === undefined || directory.name === which.directory)
    .map((entry) => entry.purge?.(candidates.find((each) => each.entry === entry)?.login ?? login));
  return (await Promise.all(removed)).reduce<number>((sum, count) => sum + (count ?? 0), 0);
};

const realmOf = (text: string, resolve: ReturnType<typeof createRealms>): string | undefined => {
  const login = normaliseLogin(text);
  return login && resolve(login).realm;
};

/** A text that is no login counts as it was typed. */
const lookupKey = (text: string, resolve: ReturnType<typeof createRealms>): string => {
  const login = normaliseLogin(text);
  if (login === undefined) return text;
  const { realm, candidates } = resolve(login);
  return realm === undefined ? login : `${realm}\\${candidates[0]?.login ?? ''}`;
};

interface Loaded {
  readonly entry: DirectoryEntry;
  readonly user: DirectoryUser;
}

const changePassword = async (loaded: Loaded | undefined, current: string, next: string): Promise<PasswordChange> => {
  if (loaded === undefined) return { changed: false, reason: 'unknown_user' };
  const { directory } = loaded.entry;
  if (directory.changePassword === undefined)
    throw new DirectoryError('not_supported', directory.name, 'passwords cannot be changed in this directory');
  if (isImpossible(current)) return { changed: false, reason: 'wrong_password' };
  if (isImpossible(next)) return { changed: false, reason: 'weak_password' };
  return directory.changePassword(loaded.user, current, next);
};

const closeAll = async (entries: readonly Entry[]): Promise<void> => {
  const results = await Promise.allSettled(entries.map(({ directory }) => directory.close()));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
};

/**
 * An ordered list of directories with realms. It owns the directories: `close` closes them.
 *
 * A login that names a realm is looked up in the directories of that realm. Any other login is looked up in the directories
 * without a realm and in the default ones. The first directory that knows the login decides.
 *
 * @throws DirectoryError `invalid_configuration` with every problem of the list
 */
export const createDirectories = (list: readonly DirectoryEntry[]): Directories => {
  const problems = entryProblems(list);
  if (problems.length > 0) throw new DirectoryError('invalid_configuration', 'list', problems.join('; '));
  const entries = list.map(withCache);
  const resolve = createRealms(entries);
  const subjects = createSubjects(entries);

  const accountOf = (entry: DirectoryEntry, user: DirectoryUser, login?: string): Account => ({
    subject: subjects.subjectOf(entry, user),
    directory: entry.directory.name,
    realm: realmNameOf(entry),
    login,
    claims: user.claims,
    ...(user.refusal && { refusal: user.refusal }),
    ...(user.passwordVersion !== undefined && { passwordVersion: user.passwordVersion }),
  });
  const candidatesOf = (login: string, among: readonly string[] | undefined) =>
    resolve(login).candidates.filter(({ entry }) => among?.includes(entry.directory.name) !== false);
  const load = async (subject: string): Promise<Loaded | undefined> => {
    const located = subjects.locate(subject);
    const user = await located?.entry.directory.load(located.id);
    return located && user && { entry: located.entry, user };
  };

  return {
    realmOf: (text) => realmOf(text, resolve),
    lookupKey: (text) => lookupKey(text, resolve),
    authenticate: async (text, password, mayCheck = async () => true, among?): Promise<Authentication> => {
      const login = normaliseLogin(text);
      // No lookup is needed: the answer is the same for every user and every unknown user.
      if (login === undefined) return { accepted: false, reason: 'unknown_user' };
      if (isImpossible(password)) return { accepted: false, reason: 'wrong_password' };
      const { found, verdict } = await authenticate(candidatesOf(login, among), password, ({ entry, user }) =>
        mayCheck(subjects.subjectOf(entry, user)),
      );
      // An accepted password overrules a refusal that was cached before the user was unlocked.
      const user = found && (verdict.accepted ? { ...found.user, refusal: undefined } : found.user);
      const account = found && user && accountOf(found.entry, user, login);
      if (!verdict.accepted) return { ...verdict, ...(account && { account }) };
      return account ? { accepted: true, account } : { accepted: false, reason: 'unknown_user' };
    },
    find: async (text, among?) => {
      const login = normaliseLogin(text);
      const found = login === undefined ? undefined : await findUser(candidatesOf(login, among));
      return found && accountOf(found.entry, found.user, login);
    },
    load: async (subject) => {
      const loaded = await load(subject);
      return loaded && accountOf(loaded.entry, loaded.user);
    },
    changePassword: async (subject, current, next) => changePassword(await load(subject), current, next),
    canChangePassword: (subject) => subjects.locate(subject)?.entry.directory.changePassword !== undefined,
    check: () =>
      Promise.all(
        entries.map(async ({ directory }) => ({ directory: directory.name, steps: await directory.check() })),
      ),
    purge: (which) => purgeCaches(entries, resolve, which),
    close: () => closeAll(entries),
  };
};
