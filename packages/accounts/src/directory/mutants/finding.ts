import { randomUUID } from 'node:crypto';
import type { LawUser } from '../laws/law.ts';
import type { DirectoryUser } from '../port.ts';
import type { Mutant } from './mutant.ts';

/** The users that `find` returns are changed. */
const withFound = (
  name: string,
  breaks: string,
  change: (user: DirectoryUser, login: string) => DirectoryUser,
): Mutant => ({
  name,
  breaks,
  wrap: (directory) => ({
    find: async (login) => {
      const user = await directory.find(login);
      return user && change(user, login);
    },
  }),
});

/** The users that `load` returns are changed. */
const withLoaded = (name: string, breaks: string, change: (user: DirectoryUser) => DirectoryUser): Mutant => ({
  name,
  breaks,
  wrap: (directory) => ({
    load: async (id) => {
      const user = await directory.load(id);
      return user && change(user);
    },
  }),
});

/** `find` is asked for another login: that of a user, or a text. Undefined: the same login. */
const withLogin = (
  name: string,
  breaks: string,
  change: (login: string, users: readonly LawUser[]) => string | LawUser | undefined,
): Mutant => ({
  name,
  breaks,
  wrap: (directory, users) => ({
    find: (login) => {
      const other = change(login, users) ?? login;
      return directory.find(typeof other === 'string' ? other : other.login);
    },
  }),
});

/** Takes `*` and `%` for any text and `_` for any character, as a query built from text does. */
const matchesPattern = (pattern: string, text: string): boolean => {
  const expression = pattern
    .replaceAll(/[^\w*% -]/gu, '\\$&')
    .replaceAll(/[*%]/g, '.*')
    .replaceAll('_', '.');
  return new RegExp(`^${expression}$`, 'u').test(text);
};

export const findingMutants: readonly Mutant[] = [
  withFound('forgets-claims', 'find-knows-users-by-login', (user) => ({ ...user, claims: {} })),
  withLogin('confuses-users', 'find-knows-users-by-login', (_, users) => users[0] ?? ''),
  {
    name: 'answers-with-the-last-user',
    breaks: 'find-knows-no-other-login',
    wrap: (directory) => {
      let last: DirectoryUser | undefined;
      return {
        find: async (login) => {
          last = (await directory.find(login)) ?? last;
          return last;
        },
      };
    },
  },
  withLogin('finds-by-display-name', 'find-knows-no-other-login', (login, users) =>
    users.find(({ name }) => name.toLowerCase() === login),
  ),
  withLogin('takes-patterns', 'find-takes-logins-literally', (login, users) =>
    users.find((user) => login.length < 100 && matchesPattern(login, user.login)),
  ),
  withLogin('takes-dns', 'find-takes-logins-literally', (login) => /^(?:uid|cn)=([^,]+)/.exec(login)?.[1]),
  withLogin('cuts-at-nul', 'find-takes-logins-literally', (login) => login.split('\0')[0]),
  withLogin('ignores-accents', 'find-takes-logins-literally', (login) =>
    login.normalize('NFD').replaceAll(/\p{M}/gu, ''),
  ),
  withLogin('ignores-invisible-characters', 'find-takes-logins-literally', (login) =>
    login.replaceAll(/\u00ad|\u200b|\ufe0f/g, ''),
  ),
  withLogin('escapes-twice', 'find-knows-special-characters', (login) => login.replaceAll(/['*()\\]/g, '\\$&')),
  withLogin('takes-underscores-for-any-character', 'find-knows-special-characters', (login, users) =>
    users.find((user) => matchesPattern(user.login, login)),
  ),
  withFound('takes-the-login-for-the-id', 'ids-are-no-names', (user, login) => ({ ...user, id: login })),
  withFound('takes-a-dn-for-the-id', 'ids-are-no-names', (user) => ({ ...user, id: `entry=${user.id}` })),
  withFound('makes-an-id-each-time', 'ids-identify-users', (user) => ({ ...user, id: randomUUID() })),
  {
    name: 'has-one-id-for-all',
    breaks: 'ids-identify-users',
    wrap: (directory) => ({
      find: async (login) => {
        const user = await directory.find(login);
        return user && { ...user, id: 'everyone' };
      },
      load: async (id) => ({ id, handle: '', claims: {} }),
    }),
  },
  {
    name: 'loads-by-login',
    breaks: 'load-knows-users-by-id-only',
    wrap: (directory) => ({ load: async (id) => (await directory.load(id)) ?? directory.find(id) }),
  },
  withLoaded('loads-without-claims', 'load-knows-users-by-id-only', (user) => ({ ...user, claims: {} })),
  withLoaded('loads-disabled-users', 'load-reports-disabled-users', (user) => ({ ...user, refusal: undefined })),
  {
    name: 'loads-no-user',
    breaks: 'load-reports-disabled-users',
    wrap: () => ({ load: async () => undefined }),
  },
  {
    name: 'shares-one-search-among-all-callers',
    breaks: 'parallel-callers-get-their-own-users',
    wrap: (directory) => {
      let running: Promise<DirectoryUser | undefined> | undefined;
      return {
        find: (login) => {
          running ??= directory.find(login).finally(() => {
            running = undefined;
          });
          return running;
        },
      };
    },
  },
];
