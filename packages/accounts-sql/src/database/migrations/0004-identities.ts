import type { MigrationStep } from './migration-step.ts';

/** The identities of users at providers. */
export const identities: MigrationStep = {
  async up({ schema }, { text }) {
    await schema
      .createTable('carnet_identity')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('provider', text, (column) => column.notNull())
      .addColumn('upstream_subject', text, (column) => column.notNull())
      .addColumn('subject', text, (column) => column.notNull())
      .addColumn('shown', text)
      .addColumn('linked_at', 'bigint', (column) => column.notNull())
      .addColumn('unlinked_at', 'bigint')
      .addUniqueConstraint('carnet_identity_upstream', ['provider', 'upstream_subject'])
      .execute();
    await schema.createIndex('carnet_identity_subject').on('carnet_identity').column('subject').execute();
    // Few rows are unlinked: the index has them only, for the sweep.
    await schema
      .createIndex('carnet_identity_unlinked')
      .on('carnet_identity')
      .column('unlinked_at')
      .where('unlinked_at', 'is not', null)
      .execute();
  },
  async down({ schema }) {
    await schema.dropTable('carnet_identity').execute();
  },
};
