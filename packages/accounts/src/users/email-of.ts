import type { User } from '../store/index.ts';

/** The email address that is a login name of the user, as it is stored. */
export const emailOf = (user: Pick<User, 'identifiers'> | undefined): string | undefined =>
  user?.identifiers.find(({ kind }) => kind === 'email')?.value;
