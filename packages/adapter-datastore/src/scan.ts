import { endOfPrefix, kinds, type Page, type RecordKey, type ScanQuery } from '@carnet/adapter-contract';
import type { CallContext } from './call-context.ts';
import { isLive, toFound } from './entity.ts';
import { type Keys, parseKey, recordKind } from './keys.ts';
import { repeat } from './repeat.ts';
import { filterOf, recordsWhere, runQuery } from './run-query.ts';
import type { EntityKey, Query } from './wire.ts';

/** The keys from `from` on that are before `end`. */
interface Range {
  readonly from: EntityKey;
  readonly end: EntityKey;
}

/** The records of a prefix: those with a grant are together, and of the others those of each kind. */
const rangesOf = (prefix: string, keys: Keys): readonly (Range | undefined)[] => {
  if (prefix === '') return [undefined];
  const end = endOfPrefix(prefix);
  return [
    { from: keys.grant(prefix), end: keys.grant(end) },
    ...kinds.map((kind) => ({ from: keys.record({ kind, id: prefix }), end: keys.record({ kind, id: end }) })),
  ];
};

/** The range, and the last record that was read in it. */
type Place = readonly [range: number, last?: RecordKey];

const toQuery = (range: Range | undefined, last: EntityKey | undefined, limit: number): Query => {
  const from = last
    ? [filterOf('__key__', 'GREATER_THAN', { keyValue: last })]
    : range
      ? [filterOf('__key__', 'GREATER_THAN_OR_EQUAL', { keyValue: range.from })]
      : [];
  const to = range ? [filterOf('__key__', 'LESS_THAN', { keyValue: range.end })] : [];
  const filters = [...from, ...to];
  return {
    ...(filters.length > 0 ? recordsWhere(...filters) : { kind: [{ name: recordKind }] }),
    order: [{ property: { name: '__key__' }, direction: 'ASCENDING' }],
    limit: { value: limit },
  };
};

/** A page in the order of the keys. It ends where a range does. */
export const scanPage = async ({ limit, after, prefix = '' }: ScanQuery, context: CallContext): Promise<Page> => {
  const { keys, deadline, now } = context;
  const [index, last]: Place = after === undefined ? [0] : JSON.parse(after);
  const ranges = rangesOf(prefix, keys);
  const query = toQuery(ranges[index], last && keys.record(last), limit);
  const { results } = await repeat(() => runQuery(query, context), deadline);
  const instant = now();
  const records = results.map(({ entity }) => toFound(entity)).filter((record) => isLive(record, instant));
  const end = results.at(-1)?.entity.key;
  const next: Place = results.length === limit && end ? [index, parseKey(end)] : [index + 1];
  return { records, next: next[0] < ranges.length ? JSON.stringify(next) : undefined };
};
