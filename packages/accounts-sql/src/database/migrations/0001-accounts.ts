import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import type { ColumnTypes, MigrationStep } from './migration-step.ts';

const required = (column: ColumnDefinitionBuilder) => column.notNull();
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey();

const createUsers = async ({ schema }: Kysely<Schema>, { text }: ColumnTypes): Promise<void> => {
  await schema
    .createTable('carnet_user')
    .addColumn('id', text, key)
    .addColumn('state', text, required)
    .addColumn('claims', text, required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('updated_at', 'bigint', required)
    .execute();
  await schema
    .createTable('carnet_identifier')
    .addColumn('normalised', text, key)
    .addColumn('kind', text, required)
    .addColumn('user_id', text, required)
    .execute();
  await schema.createIndex('carnet_identifier_user').on('carnet_identifier').column('user_id').execute();
  await schema
    .createTable('carnet_credential')
    .addColumn('user_id', text, key)
    .addColumn('password_hash', text, required)
    .addColumn('version', 'bigint', required)
    .addColumn('updated_at', 'bigint', required)
    .execute();
};

const createFactors = async ({ schema }: Kysely<Schema>, { text }: ColumnTypes): Promise<void> => {
  await schema
    .createTable('carnet_factor')
    .addColumn('id', text, key)
    .addColumn('subject', text, required)
    .addColumn('kind', text, required)
    .addColumn('label', text, required)
    .addColumn('payload', text, required)
    .addColumn('counter', 'bigint', required)
    .addColumn('confirmed_at', 'bigint')
    .addColumn('created_at', 'bigint', required)
    .addColumn('last_used_at', 'bigint')
    .addColumn('version', 'bigint', required)
    .execute();
  await schema.createIndex('carnet_factor_subject').on('carnet_factor').column('subject').execute();
};

const createExpiring = async ({ schema }: Kysely<Schema>, { text }: ColumnTypes): Promise<void> => {
  await schema
    .createTable('carnet_attempt')
    .addColumn('key', text, key)
    .addColumn('count', 'bigint', required)
    .addColumn('reset_at', 'bigint', required)
    .execute();
  await schema.createIndex('carnet_attempt_reset').on('carnet_attempt').column('reset_at').execute();
  await schema
    .createTable('carnet_claim')
    .addColumn('id', text, key)
    .addColumn('expires_at', 'bigint', required)
    .execute();
  await schema.createIndex('carnet_claim_expires').on('carnet_claim').column('expires_at').execute();
  await schema
    .createTable('carnet_cached_user')
    .addColumn('directory', text, required)
    .addColumn('login', text, required)
    .addColumn('user', text, required)
    .addColumn('fetched_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .addPrimaryKeyConstraint('carnet_cached_user_pkey', ['directory', 'login'])
    .execute();
  await schema.createIndex('carnet_cached_user_expires').on('carnet_cached_user').column('expires_at').execute();
};

const tables = [
  'carnet_user',
  'carnet_identifier',
  'carnet_credential',
  'carnet_factor',
  'carnet_attempt',
  'carnet_claim',
  'carnet_cached_user',
] as const;

/** Only what SQLite, Postgres and distributed engines with its protocol share: no foreign keys, sequences or jsonb. */
export const accounts: MigrationStep = {
  async up(database, types) {
    await createUsers(database, types);
    await createFactors(database, types);
    await createExpiring(database, types);
  },
  async down({ schema }) {
    for (const table of tables) await schema.dropTable(table).execute();
  },
};
