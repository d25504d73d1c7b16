import type { MigrationStep } from './migration-step.ts';

/** The contents of the links in emails. */
export const links: MigrationStep = {
  async up({ schema }, { text }) {
    await schema
      .createTable('carnet_link')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('content', text, (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await schema.createIndex('carnet_link_expires').on('carnet_link').column('expires_at').execute();
  },
  async down({ schema }) {
    await schema.dropTable('carnet_link').execute();
  },
};
