/** Stores index subjects, and an index limits bytes, not characters. */
export const maxSubjectBytes = 1_024;

/**
 * Whether a subject begins or ends with white space. Such a subject is refused and never trimmed: a trimmed subject may
 * be that of another user, and a revocation by the original subject would miss it.
 */
export const hasOuterSpace = (subject: string): boolean => subject.trim() !== subject;
export const outerSpaceProblem = 'must not begin or end with white space';
