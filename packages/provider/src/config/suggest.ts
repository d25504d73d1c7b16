const plain = (key: string): string => key.toLowerCase().replaceAll(/[_-]/g, '').replace(/ies$/, 'y');

/** The number of single-character edits between two words (Levenshtein), or `Infinity` once it exceeds `limit`. */
const distance = (from: string, to: string, limit: number): number => {
  if (Math.abs(from.length - to.length) > limit) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    if (Math.min(...next) > limit) return Number.POSITIVE_INFINITY;
    row = next;
  }
  const edits = row.at(-1) ?? 0;
  return edits > limit ? Number.POSITIVE_INFINITY : edits;
};

/**
 * The known key that the user probably meant: it differs in case, `_` or `-`, in a plural, or in at most two letters. Short
 * keys must be closer: one edit for each `lettersPerEdit` letters. Default 3.
 */
export const suggest = (unknown: string, known: readonly string[], lettersPerEdit = 3): string | undefined => {
  const spelled = plain(unknown);
  let best: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const key of known) {
    const limit = Math.min(2, Math.floor(key.length / lettersPerEdit), fewest - 1);
    const edits = limit < 0 ? Number.POSITIVE_INFINITY : distance(spelled, plain(key), limit);
    if (edits < fewest) [best, fewest] = [key, edits];
  }
  return best;
};
