import { createPasswordCheck, type PasswordCheck } from '../passwords/password-check.ts';
import type { PasswordHashing } from '../passwords/password-hashing.ts';
import type { CheckStep, Directory, DirectoryUser, Verdict } from '../port.ts';
import { type ListedUser, parseUserList, type UserList } from './user-list.ts';

export interface ListDirectoryOptions {
  readonly name: string;
  /** The current users. @throws DirectoryError `unavailable` if they cannot be read */
  readonly users: () => Promise<UserList>;
  readonly hashing: Pick<PasswordHashing, 'verify' | 'decoy'>;
  readonly check: () => Promise<readonly CheckStep[]>;
}

/** A directory on a list of users in memory. */
export const createListDirectory = ({ name, users, hashing, check }: ListDirectoryOptions): Directory => {
  const checks = new WeakMap<UserList, PasswordCheck>();
  const checkFor = (list: UserList): PasswordCheck => {
    const known = checks.get(list) ?? createPasswordCheck(hashing, list.hashes);
    checks.set(list, known);
    return known;
  };
  const shown = (user: ReturnType<UserList['byId']>): DirectoryUser | undefined =>
    user && {
      id: user.subject,
      handle: user.subject,
      claims: user.claims,
      ...(user.state !== 'active' && { refusal: user.state }),
    };

  return {
    name,
    find: async (login) => shown((await users()).byLogin(login)),
    load: async (id) => shown((await users()).byId(id)),
    verify: async ({ id }, password): Promise<Verdict> => {
      const list = await users();
      const user = list.byId(id);
      // The hash is computed for users of every state, so that the duration does not reveal the state.
      const matches = await checkFor(list).matches(user?.passwordHash, password, `${name} ${id}`);
      if (user === undefined) return { accepted: false, reason: 'unknown_user' };
      if (!matches) return { accepted: false, reason: 'wrong_password' };
      return user.state === 'active' ? { accepted: true } : { accepted: false, reason: user.state };
    },
    verifyUnknown: async (password, login) => {
      await checkFor(await users()).matches(undefined, password, `${name} ${login}`);
    },
    check,
    close: async () => undefined,
  };
};

/**
 * A directory with a fixed list of users, such as the built-in ones of the dev mode.
 *
 * @throws Error if a user is not valid
 */
export const createStaticDirectory = (options: {
  readonly name: string;
  readonly users: readonly ListedUser[];
  readonly hashing: Pick<PasswordHashing, 'verify' | 'decoy'>;
}): Directory => {
  const list = parseUserList(options.users);
  const check = async () => [{ target: options.name, step: 'read', ok: true, ms: 0 }];
  return createListDirectory({ ...options, users: async () => list, check });
};
