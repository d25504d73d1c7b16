import type { RecordKey } from './port.ts';

/** Where a record is stored: with its grant, or by its own id. */
export const placeOf = ({ grantId, id }: RecordKey): string => grantId ?? id;

/** A place in a scan in the order of place, kind and id. */
export type ScanPosition = readonly [place: string, kind: string, id: string];

/** The cursor after a record, for stores that scan in the order of place, kind and id. */
export const toScanCursor = (last: RecordKey): string => JSON.stringify([placeOf(last), last.kind, last.id]);

/** The positions of a scan: it returns the records after `from` whose place is before `end`. */
export const scanRange = ({ after, prefix = '' }: { readonly after?: string; readonly prefix?: string }) => ({
  from: after === undefined ? ([prefix, '', ''] satisfies ScanPosition) : (JSON.parse(after) as ScanPosition),
  end: endOfPrefix(prefix),
});

/** A text after all that begin with the prefix. */
export const endOfPrefix = (prefix: string): string => `${prefix}\u{10ffff}`;
