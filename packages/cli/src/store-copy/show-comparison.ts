import type { Surface, Values } from '../command.ts';
import { show } from '../output.ts';
import { areEqual, type Comparison } from './compare-stores.ts';
import type { Copied } from './copy-records.ts';

interface Shown {
  /** Absent: nothing was to be copied. */
  readonly copied?: Copied;
  readonly comparison: Comparison;
}

const verdictOf = ({ copied, comparison }: Shown): string => {
  if (areEqual(comparison)) return 'The stores are equal.';
  return copied === undefined
    ? 'The stores differ.'
    : 'The stores differ. If servers use the source, stop them and repeat the command with --again.';
};

/** Prints the numbers of both stores by kind, and their differences. */
export const showComparison = (values: Values, surface: Pick<Surface, 'out'>, shown: Shown): Promise<void> => {
  const { copied, comparison } = shown;
  const rows = [...comparison].map(([kind, counts]) => ({ kind, ...counts }));
  const done = copied && `${copied.copied} records copied, ${copied.changed} changed, ${copied.removed} removed.`;
  return show(values, surface, {
    body: { ...copied, equal: areEqual(comparison), kinds: rows },
    headers: ['KIND', 'SOURCE', 'TARGET', 'MISSING', 'DIFFERENT', 'SURPLUS'],
    rows: rows.map(({ kind, source, target, missing, different, surplus }) => [
      kind,
      ...[source, target, missing, different, surplus].map(String),
    ]),
    ids: [],
    isList: true,
    notes: [...(done === undefined ? [] : [done]), verdictOf(shown)],
  });
};
