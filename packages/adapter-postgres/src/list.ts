import { type ListQuery, listedBySubject, listedKinds, type Page } from '@carnet/adapter-contract';
import { toFound, toTimestamp, type ValueRow } from './record.ts';
import type { Prepared } from './run-on.ts';
import { createStatement, milliseconds, primaryGuard, type Statement } from './statements.ts';

type ListRow = readonly [id: string, grantId: string | null, ...ValueRow];

/**
 * $1: the id to begin after; $2: now; $3: limit; $4: the subject, if the list is that of one. The kind is part of the text: the
 * indexes are partial, and the planner must see that they apply.
 */
const createListStatement = (kind: ListQuery['kind'], condition: '' | ' and subject = $4'): Statement =>
  createStatement(
    `carnet_list_${kind}`,
    `select id, grant_id, payload, ${milliseconds('expires_at')}, subject, client_id, ${milliseconds('consumed_at')}, members
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
