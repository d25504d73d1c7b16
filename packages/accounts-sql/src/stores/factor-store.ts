import type { Factor, FactorKind, FactorStore } from '@carnet/accounts/second-factors';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { AccountsDatabase } from '../database/accounts-database.ts';
import type { Schema } from '../database/schema.ts';

type Row = Selectable<Schema['carnet_factor']>;

const fromRow = (row: Row): Factor => ({
  id: row.id,
  subject: row.subject,
  kind: row.kind as FactorKind,
  label: row.label,
  payload: row.payload,
  counter: row.counter,
  confirmedAt: row.confirmed_at ?? undefined,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
  version: row.version,
});

const toRow = (factor: Factor): Row => ({
  id: factor.id,
  subject: factor.subject,
  kind: factor.kind,
  label: factor.label,
  payload: factor.payload,
  counter: factor.counter,
  confirmed_at: factor.confirmedAt ?? null,
  created_at: factor.createdAt,
  last_used_at: factor.lastUsedAt ?? null,
  version: factor.version,
});

type Tables = Kysely<Schema>;

const readsOf = (tables: Tables): Pick<FactorStore, 'list' | 'findPasskey'> => ({
  async list(subject) {
    // Written as SQL because each sign-in runs it: see `createAttemptStore`.
    const { rows } = await sql<Row>`
      select * from carnet_factor where subject = ${subject} order by created_at, id`.execute(tables);
    return rows.map(fromRow);
  },
  async findPasskey(credentialId) {
    const row = await tables
      .selectFrom('carnet_factor')
      .selectAll()
      .where('id', '=', credentialId)
      .where('kind', '=', 'passkey')
      .executeTakeFirst();
    return row && fromRow(row);
  },
});

const removalsOf = (tables: Tables): Pick<FactorStore, 'remove' | 'removeAll'> => ({
  async remove(subject, id) {
    const { numDeletedRows } = await tables
      .deleteFrom('carnet_factor')
      .where('id', '=', id)
      .where('subject', '=', subject)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  },
  async removeAll(subject) {
    const { numDeletedRows } = await tables
      .deleteFrom('carnet_factor')
      .where('subject', '=', subject)
      .executeTakeFirst();
    return Number(numDeletedRows);
  },
});

/** Operations of one statement each, so that only one of several parallel calls succeeds, in any number of processes. */
const conditionalsOf = (tables: Tables): Pick<FactorStore, 'add' | 'update' | 'claim'> => ({
  async add(factor) {
    const { numInsertedOrUpdatedRows } = await tables
      .insertInto('carnet_factor')
      .values(toRow(factor))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  },
  async update(factor) {
    const { numUpdatedRows } = await tables
      .updateTable('carnet_factor')
      .set(toRow(factor))
      .where('id', '=', factor.id)
      .where('subject', '=', factor.subject)
      // Compare-and-set: a second use of a code expects a version that is no longer stored, and changes no row.
      .where('version', '=', factor.version - 1)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },
  async claim(id, expiresAt) {
    const { numInsertedOrUpdatedRows } = await tables
      .insertInto('carnet_claim')
      .values({ id, expires_at: Math.ceil(expiresAt) })
      // The primary key decides: of parallel claims, in any number of processes, one inserts the row.
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  },
});

/** Second factors in the accounts database. */
export const createFactorStore = ({
  database: { tables },
}: {
  readonly database: Pick<AccountsDatabase, 'tables'>;
}): FactorStore => ({ ...readsOf(tables), ...conditionalsOf(tables), ...removalsOf(tables) });
