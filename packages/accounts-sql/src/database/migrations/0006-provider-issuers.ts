import type { MigrationStep } from './migration-step.ts';

/** The issuers to which the identities of users belong. */
export const providerIssuers: MigrationStep = {
  async up({ schema }, { text }) {
    await schema
      .createTable('carnet_provider')
      .addColumn('name', text, (column) => column.notNull().primaryKey())
      .addColumn('issuer', text, (column) => column.notNull())
      .execute();
  },
  async down({ schema }) {
    await schema.dropTable('carnet_provider').execute();
  },
};
