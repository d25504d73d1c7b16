import { z } from 'zod';
import type { SealedCookies } from '../cookies/sealed-cookie.ts';

const account = z.object({
  login: z.string().min(1),
  name: z.string().min(1),
  /** The provider at which the user has signed in. */
  provider: z.string().optional(),
});

/** An account with which a user of this browser has signed in. */
export type RememberedAccount = z.infer<typeof account>;

const maximumAccounts = 5;
/** Five accounts of this size fit into a cookie. */
const maximumBytes = 400;
const maxAgeSeconds = 180 * 86_400;

/**
 * The accounts that the sign-in page offers. The cookie is sealed, because a browser is shared more often than an account:
 * the names are not readable in its settings. It exists only after the user asked to stay signed in.
 */
export const createRememberedAccounts = (cookies: SealedCookies) => {
  const cookie = cookies.create({
    name: 'carnet_accounts',
    schema: z.array(account).max(maximumAccounts),
    maxAgeSeconds,
  });
  const list = (request: Request): readonly RememberedAccount[] => cookie.read(request) ?? [];
  const others = (request: Request, login: string) => list(request).filter((each) => each.login !== login);
  return {
    /** The last one first. */
    list,
    /** The Set-Cookie value after a sign-in; undefined if the account is too long to be remembered. */
    add: (request: Request, added: RememberedAccount) => {
      if (Buffer.byteLength(JSON.stringify(added)) > maximumBytes) return undefined;
      return cookie.set([added, ...others(request, added.login)].slice(0, maximumAccounts));
    },
    /** The Set-Cookie value without the account. */
    remove: (request: Request, login: string) => {
      const left = others(request, login);
      return left.length === 0 ? cookie.clear() : cookie.set(left);
    },
  };
};
