import { distance } from 'fastest-levenshtein';

const plain = (key: string): string => key.toLowerCase().replaceAll(/[_-]/g, '').replace(/ies$/, 'y');

/**
 * The known key that the user probably meant: it differs in case, `_` or `-`, in a plural, or in at most two letters. Short
 * keys must be closer: one edit for each `lettersPerEdit` letters. Default 3.
 */
export const suggest = (unknown: string, known: readonly string[], lettersPerEdit = 3): string | undefined => {
  const spelled = plain(unknown);
  let best: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const key of known) {
    const edits = distance(spelled, plain(key));
    if (edits < fewest && edits <= Math.min(2, Math.floor(key.length / lettersPerEdit))) [best, fewest] = [key, edits];
  }
  return best;
};
