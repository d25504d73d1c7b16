import { inspect, isDeepStrictEqual } from 'node:util';

/** One law of a port. */
export interface LawOf<Subject, Needs = undefined> {
  /** Kebab-case, unique. */
  readonly name: string;
  /** The law in one sentence. */
  readonly says: string;
  /** A law is skipped if the subject lacks any of these. */
  readonly needs?: Needs;
  /** Throws an Error that names what was expected and what was received if the subject breaks the law. */
  check(subject: Subject): Promise<void>;
}

const show = (value: unknown): string => inspect(value, { depth: 4, maxStringLength: 200, maxArrayLength: 12 });

/** Throws unless the two are deeply equal; `what` is a noun phrase. */
export const assertSame = (actual: unknown, expected: unknown, what: string): void => {
  if (!isDeepStrictEqual(actual, expected)) throw new Error(`${what}: expected ${show(expected)}, got ${show(actual)}`);
};

/** Throws unless it holds; `what` says what has to. */
export function assertHolds(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}
