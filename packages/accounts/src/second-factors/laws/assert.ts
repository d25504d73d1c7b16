/** Starts 50 calls at once, alternating between the two stores. */
export const fiftyTimes = <Store, Answer>(
  { store, other }: { readonly store: Store; readonly other: Store },
  call: (store: Store, index: number) => Promise<Answer>,
): Promise<Answer[]> =>
  Promise.all(Array.from({ length: 50 }, (_, index) => call(index % 2 === 0 ? store : other, index)));

export const countTrue = (answers: readonly boolean[]): number => answers.filter(Boolean).length;
