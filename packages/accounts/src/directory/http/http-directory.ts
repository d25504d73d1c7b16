import { checkStep } from '../check-step.ts';
import { DirectoryError } from '../directory-error.ts';
import { normaliseLogin } from '../logins/normalise-login.ts';
import type { Directory, DirectoryUser, Verdict } from '../port.ts';
import { createHttpUsers, type HttpUser, type HttpUsersOptions } from './http-users.ts';

/** A password that no user has: the endpoint must answer it with 401. */
const impossible = { username: 'carnet-directory-check', password: 'carnet-directory-check' };

/**
 * Users behind an HTTP endpoint: see `HttpUsers` for its requests. A sign-in is one `POST`. `find` asks `GET ?username=`,
 * which sign-ins do not need. The endpoint must take the same time for every 401, so that the duration does not reveal which users exist.
 */
export const createHttpDirectory = (options: HttpUsersOptions): Directory => {
  const { name, url } = options;
  const users = createHttpUsers(options);
  const shown = (user: HttpUser | undefined, username: string): DirectoryUser | undefined =>
    user && { id: user.subject, handle: username, claims: user.claims };
  // Other texts are not login names. The endpoint might treat them in its own way.
  const isLogin = (text: string): boolean => normaliseLogin(text) === text;
  const isPassword = (text: string): boolean => text !== '' && !text.includes('\0');

  const authenticate = async (login: string, password: string): Promise<DirectoryUser | undefined> =>
    isLogin(login) && isPassword(password) ? shown(await users.authenticate(login, password), login) : undefined;

  return {
    name,
    find: async (login) => (isLogin(login) ? shown(await users.byUsername(login), login) : undefined),
    load: async (id) => shown(id === '' ? undefined : await users.bySubject(id), ''),
    authenticate,
    verify: async ({ id, handle }, password): Promise<Verdict> => {
      if (handle === '')
        throw new DirectoryError(
          'not_supported',
          name,
          'the password can only be checked after a search by login name',
        );
      const user = await authenticate(handle, password);
      // Since the search, the name may have been given to another user.
      return user?.id === id ? { accepted: true } : { accepted: false, reason: 'wrong_password' };
    },
    verifyUnknown: async (password, login) => {
      await authenticate(login, password);
    },
    check: async () => [
      await checkStep(`${url.origin}${url.pathname}`, 'POST', () =>
        users.authenticate(impossible.username, impossible.password),
      ),
    ],
    close: async () => undefined,
  };
};
