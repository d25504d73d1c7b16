import { inspect, isDeepStrictEqual } from 'node:util';

/** Throws unless the two are deeply equal; `what` is a noun phrase. */
export const assertSame = (actual: unknown, expected: unknown, what: string): void => {
  if (!isDeepStrictEqual(actual, expected))
    throw new Error(`${what}: expected ${inspect(expected)}, got ${inspect(actual)}`);
};

/** Starts 50 calls at once, alternating between the two stores. */
export const fiftyTimes = <Store, Answer>(
  { store, other }: { readonly store: Store; readonly other: Store },
  call: (store: Store, index: number) => Promise<Answer>,
): Promise<Answer[]> =>
  Promise.all(Array.from({ length: 50 }, (_, index) => call(index % 2 === 0 ? store : other, index)));

export const countTrue = (answers: readonly boolean[]): number => answers.filter(Boolean).length;
