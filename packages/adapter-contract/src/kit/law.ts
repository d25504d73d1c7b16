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

/** A deliberately broken implementation of a port: a correct one with one mistake. */
export interface MutantOf {
  /** Kebab-case, unique: the mistake. */
  readonly name: string;
  /** The name of the law that must detect it. */
  readonly breaks: string;
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

const repeated = (names: readonly string[]): readonly string[] => names.filter((name, at) => names.indexOf(name) < at);

/**
 * The mistakes in the data of a contract, one line for each: names that are not unique or not in kebab-case, laws that are
 * not one sentence, laws without a mutant, and mutants without a law.
 */
export const problemsIn = (
  laws: readonly Pick<LawOf<never>, 'name' | 'says'>[],
  mutants: readonly MutantOf[],
): readonly string[] => {
  const [ofLaws, ofMutants] = [laws.map(({ name }) => name), mutants.map(({ name }) => name)];
  const broken = mutants.map(({ breaks }) => breaks);
  return [
    ...[...ofLaws, ...ofMutants]
      .filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
      .map((name) => `${name} is not in kebab-case`),
    ...[...repeated(ofLaws), ...repeated(ofMutants)].map((name) => `${name} is not unique`),
    ...laws.filter(({ says }) => !/^[A-Z][^.]*\.$/.test(says)).map(({ says }) => `not one sentence: ${says}`),
    ...ofLaws.filter((name) => !broken.includes(name)).map((name) => `no mutant breaks ${name}`),
    ...broken.filter((name) => !ofLaws.includes(name)).map((name) => `there is no law ${name}`),
  ];
};
