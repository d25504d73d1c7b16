import { type ListQuery, type Page, type ScanQuery, scanRange, toScanCursor } from '@carnet/adapter-contract';
import { toFound } from './record.ts';
import type { Statements } from './statements.ts';

/** The cursor is the last id of the previous page, so that inserts and removals in between do not shift the next page. */
export const listPage = (
  statements: Statements,
  { kind, subject, limit, after = '' }: ListQuery,
  now: number,
): Page => {
  // One more than the page holds: there is a next one.
  const tail = [after, now, limit + 1] as const;
  const statement = statements[`list_${kind}`];
  const rows = subject === undefined ? statement.all(...tail) : statement.all(subject, ...tail);
  const records = rows.slice(0, limit).map(toFound);
  return rows.length > limit ? { records, next: records.at(-1)?.id } : { records };
};

/** A page in the order of the primary key. */
export const scanPage = (statements: Statements, query: ScanQuery, now: number): Page => {
  const { from, end } = scanRange(query);
  const rows = statements.scan.all(...from, end, now, query.limit);
  const records = rows.map(toFound);
  const last = records.at(-1);
  return rows.length === query.limit && last ? { records, next: toScanCursor(last) } : { records };
};
