import { type Kysely, sql } from 'kysely';
import { nameKeysOf } from '../../users/search-keys.ts';
import { parseClaims } from '../../users/user.ts';
import type { Schema } from '../schema.ts';
import type { MigrationStep } from './migration-step.ts';

const pageSize = 500;

/** Sets the search keys of the users that are stored already, a page at a time. */
const fillKeys = async (tables: Kysely<Schema>): Promise<void> => {
  for (let after = ''; ; ) {
    const rows = await tables
      .selectFrom('carnet_user')
      .select(['id', 'claims'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    const keys = rows.map(({ id, claims }) => ({ id, ...nameKeysOf(parseClaims(claims)) }));
    const values = keys.map((each) => sql`(${each.id}, ${each.name_key}, ${each.family_name_key})`);
    await sql`
      update carnet_user set name_key = found.column2, family_name_key = found.column3
      from (values ${sql.join(values)}) as found where carnet_user.id = found.column1`.execute(tables);
    after = last.id;
  }
};

const nameIndexes = { carnet_user_name: 'name_key', carnet_user_family_name: 'family_name_key' } as const;

/** The keys by which users are searched, and the users whose access is ended repeatedly. */
export const management: MigrationStep = {
  async up(database, { text }) {
    const { schema } = database;
    for (const [index, column] of Object.entries(nameIndexes)) {
      await schema.alterTable('carnet_user').addColumn(column, text).execute();
      await schema.createIndex(index).on('carnet_user').columns([column, 'id']).execute();
    }
    await schema.createIndex('carnet_user_state').on('carnet_user').columns(['state', 'id']).execute();
    await fillKeys(database);
    await schema
      .createTable('carnet_revocation')
      .addColumn('subject', text, (column) => column.notNull().primaryKey())
      .addColumn('until_at', 'bigint', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .execute();
    await schema.createIndex('carnet_revocation_due').on('carnet_revocation').column('due_at').execute();
  },
  async down({ schema }) {
    await schema.dropTable('carnet_revocation').execute();
    await schema.dropIndex('carnet_user_state').execute();
    for (const [index, column] of Object.entries(nameIndexes)) {
      await schema.dropIndex(index).execute();
      await schema.alterTable('carnet_user').dropColumn(column).execute();
    }
  },
};
