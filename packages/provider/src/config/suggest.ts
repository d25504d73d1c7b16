const plain = (key: string): string => key.toLowerCase().replaceAll(/[_-]/g, '');

/** How many single-character edits lead from one word to the other (Levenshtein). */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};

/** The known key that was probably meant: one that differs in case, `_`, `-`, or at most two letters. */
export const suggest = (unknown: string, known: readonly string[]): string | undefined => {
  // Longer words are no misspelling of ours, and the comparison is quadratic.
  if (unknown.length > 40) return undefined;
  const ranked = known
    .map((key) => ({ key, edits: distance(plain(unknown), plain(key)) }))
    .toSorted((one, other) => one.edits - other.edits);
  const best = ranked[0];
  return best !== undefined && best.edits <= Math.min(2, Math.floor(best.key.length / 3)) ? best.key : undefined;
};
