import { DirectoryError } from '../directory-error.ts';
import type { DirectoryUser } from '../port.ts';
import type { DirectoryEntry } from './directory-entry.ts';
import type { Candidate } from './realms.ts';

/** The answer of an optional directory during its outage. */
const skipped = Symbol('skipped');

/**
 * Asks a directory. Only an outage of an optional directory is skipped: any other failure ends the lookup, because a later
 * directory may know another user by the same login.
 */
const ask = async <Answer>({ optional }: DirectoryEntry, question: () => Promise<Answer>) => {
  try {
    return await question();
  } catch (error) {
    if (optional && error instanceof DirectoryError && error.code === 'unavailable') return skipped;
    throw error;
  }
};

export interface FoundUser extends Candidate {
  readonly user: DirectoryUser;
  /** Whether the same request also checked the password. */
  readonly isAuthenticated: boolean;
}

/**
 * The first candidate that knows the login. With a password, directories that check both at once check it here.
 *
 * @throws DirectoryError `unavailable` if a directory that is not `optional` fails; later directories are not asked
 */
export const findUser = async (candidates: readonly Candidate[], password?: string): Promise<FoundUser | undefined> => {
  for (const { entry, login } of candidates) {
    const { directory } = entry;
    const isAuthenticated = password !== undefined && directory.authenticate !== undefined;
    const user = await ask(entry, async () =>
      isAuthenticated ? directory.authenticate?.(login, password) : directory.find(login),
    );
    if (user !== undefined && user !== skipped) return { entry, login, user, isAuthenticated };
  }
  return undefined;
};
