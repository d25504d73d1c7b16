import type { PasswordSignIn, SignIn } from '@carnet/accounts/client';
import type { Claims } from '../directory/user-directory.ts';

/**
 * The users. Both methods throw a `directory_unavailable` problem during an outage, which is never "wrong password".
 */
export interface Users {
  /** Checks a password. Failed attempts are counted by login name and by address. */
  signIn(attempt: PasswordSignIn): Promise<SignIn>;
  /** The claims of a user (OpenID Connect Core, section 5.1), or undefined if there is no such user. */
  claims(subject: string): Promise<Claims | undefined>;
}
