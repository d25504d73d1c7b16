import type { ListQuery, Page } from '@carnet/adapter-contract';
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
