import { type ListQuery, type Page, type ScanQuery, scanRange, toScanCursor } from '@carnet/adapter-contract';
import { textLiteral, wholeNumber } from './literals.ts';
import { listKeyOf, rowsIn, toFound } from './record.ts';
import type { Answer, Batch } from './run-on.ts';
import { live, selectFrom } from './statements.ts';

const asBatch = (statement: string): Batch => ({ statements: [statement], isTransaction: false });

export const prepareList = ({ kind, subject, limit, after }: ListQuery, now: number): Batch => {
  const listKey = listKeyOf({ kind, subject });
  if (listKey === undefined) throw new RangeError(`Records of the kind ${kind} are not listed.`);
  const isNext = after === undefined ? '' : ` and id > ${textLiteral(after)}`;
  return asBatch(
    `${selectFrom('carnet_record_listed')} and list_key = ${textLiteral(listKey)}${isNext} and ${live(now)}` +
      // One more than the page holds: there is a next one.
      ` order by id limit ${wholeNumber(limit + 1)}`,
  );
};

export const toPage = (answer: Answer | undefined, { limit }: ListQuery): Page => {
  const rows = rowsIn(answer);
  const records = rows.slice(0, limit).map(toFound);
  return rows.length > limit ? { records, next: records.at(-1)?.id } : { records };
};

/** A page in the order of the primary key. The first condition is the range: a comparison of rows would have none. */
export const prepareScan = (query: ScanQuery, now: number): Batch => {
  const { from, end } = scanRange(query);
  const [place, kind, id] = from.map(textLiteral);
  return asBatch(
    `${selectFrom('primary')} and place >= ${place} and place < ${textLiteral(end)}` +
      ` and (place > ${place} or kind > ${kind} or (kind = ${kind} and id > ${id})) and ${live(now)}` +
      ` order by place, kind, id limit ${wholeNumber(query.limit)}`,
  );
};

export const toScannedPage = (answer: Answer | undefined, { limit }: ScanQuery): Page => {
  const records = rowsIn(answer).map(toFound);
  const last = records.at(-1);
  return records.length === limit && last ? { records, next: toScanCursor(last) } : { records };
};
