import type { Users } from '../store/index.ts';
import type { LocalSubjects } from '../users/local-subjects.ts';

/** The users who have asked to be deleted. */
export interface Deletions {
  /**
   * When the user is deleted, in milliseconds since 1970; undefined for a user who is not.
   *
   * Safe against a sign-in that began before the user was deleted because a user who no longer exists has a time too, 0: the
   * second factors are gone by then, and the password alone would be enough.
   */
  of(subject: string): Promise<number | undefined>;
}

/** Users of other directories are never deleted. The database is asked each time: a cache would let the user in. */
export const createDeletions = (
  local: { readonly users: Pick<Users, 'deletionOf'>; readonly subjects: LocalSubjects } | undefined,
): Deletions => ({
  of: async (subject) => {
    const id = local?.subjects.idOf(subject);
    return id === undefined ? undefined : local?.users.deletionOf(id);
  },
});
