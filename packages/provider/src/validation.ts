import { z } from 'zod';
import { CarnetError, type ErrorCode } from './errors.ts';
import { hasOuterSpace, outerSpaceProblem } from './subject.ts';

/** Creates the error of one member. The problem completes the sentence "Field 'x' ..." and never quotes a secret. */
export type Refuse = (member: string, problem: string) => CarnetError;

export interface RefuseOptions {
  /** Default: `invalid_request`. */
  readonly code?: ErrorCode;
  /** How errors name a member: callers in this process and callers over HTTP know it by different names. */
  readonly nameOf?: (member: string) => string;
}

export const createRefuse =
  ({ code = 'invalid_request', nameOf = (member) => member }: RefuseOptions = {}): Refuse =>
  (member, problem) =>
    new CarnetError(code, `Field '${nameOf(member)}' ${problem}.`, { field: nameOf(member) });

/** `remember_for` and `grant_scope` are the names over HTTP, of Hydra: here, they are `rememberFor` and `grantScopes`. */
const unknownMember = (name: string, known: readonly string[]): string => {
  const bare = name.replaceAll('_', '').toLowerCase();
  const [meant] = known
    .filter((each) => each.toLowerCase().startsWith(bare) || bare.startsWith(each.toLowerCase()))
    .toSorted((a, b) => b.length - a.length);
  return meant === undefined
    ? `is unknown here: the members are ${known.join(', ')}`
    : `is unknown here: use '${meant}'`;
};

/** An object whose unknown members are refused by a message that names the right one. */
export const exactObject = <T extends z.ZodRawShape>(shape: T): z.ZodObject<T, z.core.$strict> =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? unknownMember(issue.keys[0] ?? '', Object.keys(shape)) : undefined,
  });

/** Words for the issues that have none from their schema. They never quote the value, which may be a secret. */
export const fieldMessage: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type') return `must be ${article(issue.expected)}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.filter(Boolean).join(', ')}`;
  if (issue.code === 'too_big') return `must not be more than ${issue.maximum}`;
  if (issue.code === 'too_small') return `must not be less than ${issue.minimum}`;
  if (issue.code === 'unrecognized_keys') return 'is unknown';
  return 'has a value that is not allowed';
};

const article = (type: string): string =>
  ({ int: 'a whole number', array: 'an array', object: 'an object', record: 'an object' })[type] ?? `a ${type}`;

/** Parses what a caller sent. @throws the error of `refuse` for the first member that is wrong, by its path with dots */
export const parseWith = <T>(schema: z.ZodType<T>, value: unknown, refuse: Refuse = createRefuse()): T => {
  const result = schema.safeParse(value, { error: fieldMessage });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]] : issue?.path;
  throw refuse(path?.join('.') || 'body', issue?.message ?? 'has a value that is not allowed');
};

/** Refuses a subject that no user can have: a revocation by that subject would have no effect, and report success. */
export const assertSubject = (subject: string, refuse: Refuse): void => {
  if (hasOuterSpace(subject)) throw refuse('subject', outerSpaceProblem);
};
