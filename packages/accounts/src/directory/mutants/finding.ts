import { randomUUID } from 'node:crypto';
import type { Directory, DirectoryUser } from '../port.ts';
import type { Mutant } from './mutant.ts';

/** The users that `find` returns are changed. */
const withFound = (directory: Directory, change: (user: DirectoryUser, login: string) => DirectoryUser) => ({
  find: async (login: string) => {
    const user = await directory.find(login);
    return user && change(user, login);
  },
});

/** `find` is asked for another login. */
const withLogin = (directory: Directory, change: (login: string) => string) => ({
  find: (login: string) => directory.find(change(login)),
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
  {
    name: 'forgets-claims',
    breaks: 'find-knows-users-by-login',
    wrap: (directory) => withFound(directory, (user) => ({ ...user, claims: {} })),
  },
  {
    name: 'confuses-users',
    breaks: 'find-knows-users-by-login',
    wrap: (directory, users) => withLogin(directory, () => users[0]?.login ?? ''),
  },
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
  {
    name: 'finds-by-display-name',
    breaks: 'find-knows-no-other-login',
    wrap: (directory, users) =>
      withLogin(directory, (login) => users.find(({ name }) => name.toLowerCase() === login)?.login ?? login),
  },
  {
    name: 'takes-patterns',
    breaks: 'find-takes-logins-literally',
    wrap: (directory, users) =>
      withLogin(
        directory,
        (login) => users.find((user) => login.length < 100 && matchesPattern(login, user.login))?.login ?? login,
      ),
  },
  {
    name: 'takes-dns',
    breaks: 'find-takes-logins-literally',
    wrap: (directory) => withLogin(directory, (login) => /^(?:uid|cn)=([^,]+)/.exec(login)?.[1] ?? login),
  },
  {
    name: 'cuts-at-nul',
    breaks: 'find-takes-logins-literally',
    wrap: (directory) => withLogin(directory, (login) => login.split('\0')[0] ?? login),
  },
  {
    name: 'ignores-accents',
    breaks: 'find-takes-logins-literally',
    wrap: (directory) => withLogin(directory, (login) => login.normalize('NFD').replaceAll(/\p{M}/gu, '')),
  },
  {
    name: 'ignores-invisible-characters',
    breaks: 'find-takes-logins-literally',
    wrap: (directory) => withLogin(directory, (login) => login.replaceAll(/\u00ad|\u200b|\ufe0f/g, '')),
  },
  {
    name: 'escapes-twice',
    breaks: 'find-knows-special-characters',
    wrap: (directory) => withLogin(directory, (login) => login.replaceAll(/['*()\\]/g, '\\$&')),
  },
  {
    name: 'takes-underscores-for-any-character',
    breaks: 'find-knows-special-characters',
    wrap: (directory, users) =>
      withLogin(directory, (login) => users.find((user) => matchesPattern(user.login, login))?.login ?? login),
  },
  {
    name: 'takes-the-login-for-the-id',
    breaks: 'ids-are-no-names',
    wrap: (directory) => withFound(directory, (user, login) => ({ ...user, id: login })),
  },
  {
    name: 'takes-a-dn-for-the-id',
    breaks: 'ids-are-no-names',
    wrap: (directory) => withFound(directory, (user) => ({ ...user, id: `entry=${user.id}` })),
  },
  {
    name: 'makes-an-id-each-time',
    breaks: 'ids-identify-users',
    wrap: (directory) => withFound(directory, (user) => ({ ...user, id: randomUUID() })),
  },
  {
    name: 'has-one-id-for-all',
    breaks: 'ids-identify-users',
    wrap: (directory) => ({
      ...withFound(directory, (user) => ({ ...user, id: 'everyone' })),
      load: async (id) => ({ id, handle: '', claims: {} }),
    }),
  },
  {
    name: 'loads-by-login',
    breaks: 'load-knows-users-by-id-only',
    wrap: (directory) => ({ load: async (id) => (await directory.load(id)) ?? directory.find(id) }),
  },
  {
    name: 'loads-without-claims',
    breaks: 'load-knows-users-by-id-only',
    wrap: (directory) => ({
      load: async (id) => {
        const user = await directory.load(id);
        return user && { ...user, claims: {} };
      },
    }),
  },
  {
    name: 'loads-disabled-users',
    breaks: 'load-reports-disabled-users',
    wrap: (directory) => ({
      load: async (id) => {
        const user = await directory.load(id);
        return user && { ...user, refusal: undefined };
      },
    }),
  },
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
