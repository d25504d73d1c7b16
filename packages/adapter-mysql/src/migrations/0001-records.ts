import type { KyselyStep } from '@carnet/adapter-contract/kysely';
import { type ColumnDefinitionBuilder, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/** Compared byte by byte, spaces at the end included: no collation that both MariaDB and MySQL know does that. */
const bytes = (most: number) => sql`varbinary(${sql.lit(most)})`;
const text = (type: 'varchar(1100)' | 'mediumtext') => sql`${sql.raw(type)} character set utf8mb4 collate utf8mb4_bin`;

const required = (column: ColumnDefinitionBuilder) => column.notNull();

/**
 * One table for everything. Payloads are text and not JSON, which refuses some and rewrites the others. Instants are
 * milliseconds since the epoch, so that no time zone of a session changes them.
 */
export const records: KyselyStep<Schema> = {
  async up({ schema }) {
    await schema
      .createTable('carnet_record')
      .ifNotExists()
      .addColumn('place', bytes(255), required)
      .addColumn('kind', bytes(32), required)
      .addColumn('id', bytes(255), required)
      .addColumn('in_grant', 'boolean', required)
      .addColumn('is_claim', 'boolean', required)
      .addColumn('list_key', bytes(1_200))
      .addColumn('subject', text('varchar(1100)'))
      .addColumn('client_id', text('varchar(1100)'))
      .addColumn('payload', text('mediumtext'), required)
      .addColumn('expires_at', 'bigint')
      .addColumn('consumed_at', 'bigint')
      .addColumn('members', text('mediumtext'))
      .addPrimaryKeyConstraint('carnet_record_pkey', ['place', 'kind', 'id'])
      // In the same statement: a table without its indexes would be left if the process ended between two.
      .modifyEnd(sql`engine = innodb row_format = dynamic`)
      .addIndex('carnet_record_expires', ['expires_at'])
      .addIndex('carnet_record_listed', ['list_key', 'id'])
      .execute();
  },
  async down({ schema }) {
    await schema.dropTable('carnet_record').ifExists().execute();
  },
};
