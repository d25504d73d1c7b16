import type { ListQuery, Page } from '@carnet/adapter-contract';
import { type SqlBool, sql } from 'kysely';
import { toFound, toTimestamp, type ValueRow } from './record.ts';
import type { Prepared } from './run-on.ts';
import { compiler } from './schema.ts';
import { createStatement, milliseconds, primaryGuard } from './statements.ts';

type ListRow = readonly [id: string, grantId: string | null, ...ValueRow];

/** The kind is part of the text: the indexes are partial, and the planner must see that they apply. */
export const prepareList = ({ kind, subject, limit, after }: ListQuery, now: number): Prepared => {
  const query = compiler
    .selectFrom('carnet_record')
    .select(['id', 'grant_id', 'payload', sql.raw(milliseconds('expires_at')).as('expires_ms'), 'subject', 'client_id'])
    .select([sql.raw(milliseconds('consumed_at')).as('consumed_ms'), 'members'])
    .where('kind', '=', sql.lit(kind))
    .where('id', '>', after ?? '')
    .where((or) => or.or([or('expires_at', 'is', null), or('expires_at', '>', toTimestamp(new Date(now)))]))
    .where(sql.raw<SqlBool>(primaryGuard))
    .orderBy('id')
    // One more than the page holds: there is a next one.
    .limit(limit + 1);
  const { sql: text, parameters } = (subject === undefined ? query : query.where('subject', '=', subject)).compile();
  return { ...createStatement(`carnet_list_${kind}`, text), values: parameters };
};

export const toPage = (rows: readonly (readonly unknown[])[], { kind, limit }: ListQuery): Page => {
  const records = (rows as readonly ListRow[])
    .slice(0, limit)
    .map(([id, grantId, ...row]) => toFound({ kind, id, grantId: grantId ?? undefined }, row));
  return rows.length > limit ? { records, next: records.at(-1)?.id } : { records };
};
