import {
  type Kind,
  type ListQuery,
  listedBySubject,
  listedKinds,
  type Page,
  type ScanQuery,
  scanRange,
  toScanCursor,
} from '@carnet/adapter-contract';
import { toFound, toTimestamp, type ValueRow } from './record.ts';
import type { Prepared } from './run-on.ts';
import { createStatement, milliseconds, primaryGuard, type Statement } from './statements.ts';

type ListRow = readonly [id: string, grantId: string | null, ...ValueRow];

const valueColumns = `payload, ${milliseconds('expires_at')}, subject, client_id, ${milliseconds('consumed_at')}, members`;

/**
 * $1: the id to begin after; $2: now; $3: limit; $4: the subject, if the list is that of one. The kind is part of the text: the
 * indexes are partial, and the planner must see that they apply.
 */
const createListStatement = (kind: ListQuery['kind'], condition: '' | ' and subject = $4'): Statement =>
  createStatement(
    `carnet_list_${kind}`,
    `select id, grant_id, ${valueColumns}
from carnet_record
where kind = '${kind}' and id > $1 and (expires_at is null or expires_at > $2::timestamptz) and ${primaryGuard}${condition}
order by id limit $3`,
  );

const statements: ReadonlyMap<string, Statement> = new Map([
  ...listedKinds.map((kind) => [kind, createListStatement(kind, '')] as const),
  ...listedBySubject.map((kind) => [kind, createListStatement(kind, ' and subject = $4')] as const),
]);

export const prepareList = ({ kind, subject, limit, after }: ListQuery, now: number): Prepared => {
  const statement = statements.get(kind);
  if (statement === undefined) throw new RangeError(`Records of the kind ${kind} are not listed.`);
  // One more than the page holds: there is a next one.
  const values = [after ?? '', toTimestamp(new Date(now)), limit + 1];
  return { ...statement, values: subject === undefined ? values : [...values, subject] };
};

export const toPage = (rows: readonly (readonly unknown[])[], { kind, limit }: ListQuery): Page => {
  const records = (rows as readonly ListRow[])
    .slice(0, limit)
    .map(([id, grantId, ...row]) => toFound({ kind, id, grantId: grantId ?? undefined }, row));
  return rows.length > limit ? { records, next: records.at(-1)?.id } : { records };
};

type ScanRow = readonly [kind: Kind, ...ListRow];

/** $1 to $3: the place, kind and id to begin after; $4: the end of the places; $5: now; $6: limit. */
const scanStatement = createStatement(
  'carnet_scan',
  `select kind, id, grant_id, ${valueColumns}
from carnet_record
where (place, kind, id) > ($1, $2, $3) and place < $4 and (expires_at is null or expires_at > $5::timestamptz)
  and ${primaryGuard}
order by place, kind, id limit $6`,
);

/** A page in the order of the primary key. */
export const prepareScan = (query: ScanQuery, now: number): Prepared => {
  const { from, end } = scanRange(query);
  return { ...scanStatement, values: [...from, end, toTimestamp(new Date(now)), query.limit] };
};

export const toScannedPage = (rows: readonly (readonly unknown[])[], { limit }: ScanQuery): Page => {
  const records = (rows as readonly ScanRow[]).map(([kind, id, grantId, ...row]) =>
    toFound({ kind, id, grantId: grantId ?? undefined }, row),
  );
  const last = records.at(-1);
  return rows.length === limit && last ? { records, next: toScanCursor(last) } : { records };
};
