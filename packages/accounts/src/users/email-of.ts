import type { Claims } from '../directory/index.ts';
import type { User } from '../store/index.ts';
import { textOf } from './shown-user.ts';

/** The email address that is a login name of the user, as it is stored. */
export const emailOf = (user: Pick<User, 'identifiers'> | undefined): string | undefined =>
  user?.identifiers.find(({ kind }) => kind === 'email')?.value;

/** The address that is known to belong to the user. */
export const verifiedEmailOf = ({ email, email_verified: isVerified }: Claims): string | undefined =>
  isVerified === true ? textOf(email) : undefined;
