import { DirectoryError } from '../directory-error.ts';
import type { DirectoryUser } from '../port.ts';
import type { DirectoryEntry } from './directory-entry.ts';
import { subjectPrefixOf } from './entry-problems.ts';

/** Maps users to subjects, and subjects to the directory and id. */
export const createSubjects = (entries: readonly DirectoryEntry[]) => {
  // The longest prefix first: a subject belongs to the empty prefix only if no other prefix matches.
  const byPrefix = entries
    .map((entry) => ({ entry, prefix: subjectPrefixOf(entry) }))
    .toSorted((a, b) => b.prefix.length - a.prefix.length);
  const ownerOf = (subject: string) => byPrefix.find(({ prefix }) => subject.startsWith(prefix));

  return {
    /**
     * @throws DirectoryError `ambiguous` if the subject would belong to another directory: the id of a user without a prefix
     * begins with the prefix of that directory
     */
    subjectOf: (entry: DirectoryEntry, { id }: DirectoryUser): string => {
      const subject = subjectPrefixOf(entry) + id;
      const owner = ownerOf(subject)?.entry;
      if (owner !== entry)
        throw new DirectoryError(
          'ambiguous',
          entry.directory.name,
          `the id of a user begins with the subjectPrefix of ${owner?.directory.name}: give ${entry.directory.name} a subjectPrefix`,
        );
      return subject;
    },
    /** The directory and the user's id there; undefined if no directory has such subjects. */
    locate: (subject: string): { readonly entry: DirectoryEntry; readonly id: string } | undefined => {
      const owner = ownerOf(subject);
      const id = owner && subject.slice(owner.prefix.length);
      return id ? { entry: owner.entry, id } : undefined;
    },
  };
};
