import type { KyselyStep } from '@carnet/adapter-contract/kysely';
import { type ColumnDefinitionBuilder, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/** Compared byte by byte: ids are case-sensitive, and pages have the same order everywhere. */
const text = sql`text collate "C"`;
const milliseconds = sql`timestamptz(3)`;

const required = (column: ColumnDefinitionBuilder) => column.notNull();

/** One table for everything. Payloads are text and not jsonb, which refuses some and rewrites the others. */
export const records: KyselyStep<Schema> = {
  async up(database) {
    const { schema } = database;
    await schema
      .createTable('carnet_record')
      .addColumn('place', text, required)
      .addColumn('kind', text, required)
      .addColumn('id', text, required)
      .addColumn('grant_id', text)
      .addColumn('subject', text)
      .addColumn('client_id', text)
      .addColumn('payload', text, required)
      .addColumn('members', sql`text[] collate "C"`)
      .addColumn('expires_at', milliseconds)
      .addColumn('consumed_at', milliseconds)
      .addPrimaryKeyConstraint('carnet_record_pkey', ['place', 'kind', 'id'])
      // Room on each page: what is consumed, or merged into, is rewritten beside itself and moves in no index.
      .modifyEnd(sql`with (fillfactor = 90)`)
      .execute();
    await schema
      .createIndex('carnet_record_expires')
      .on('carnet_record')
      .column('expires_at')
      .where('expires_at', 'is not', null)
      .execute();
    await schema
      .createIndex('carnet_record_subject')
      .on('carnet_record')
      .columns(['subject', 'kind', 'id'])
      .where(sql<boolean>`kind in ('grant', 'session', 'consent')`)
      .execute();
    await schema
      .createIndex('carnet_record_listed')
      .on('carnet_record')
      .columns(['kind', 'id'])
      .where(sql<boolean>`kind in ('client', 'key', 'trusted_issuer', 'delivery')`)
      .execute();
  },
  async down({ schema }) {
    await schema.dropTable('carnet_record').execute();
  },
};
