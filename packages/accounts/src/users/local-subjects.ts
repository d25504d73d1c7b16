/** The subjects of the users in the accounts database. */
export interface LocalSubjects {
  subjectOf(id: string): string;
  /** Undefined for a user of another directory. */
  idOf(subject: string): string | undefined;
}

export const createLocalSubjects = (prefix: string): LocalSubjects => ({
  subjectOf: (id) => `${prefix}${id}`,
  idOf: (subject) => (subject.startsWith(prefix) ? subject.slice(prefix.length) : undefined),
});
