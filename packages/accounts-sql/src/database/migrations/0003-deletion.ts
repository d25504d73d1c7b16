import type { MigrationStep } from './migration-step.ts';

/** When a user is deleted, and the user of each link. */
export const deletion: MigrationStep = {
  async up({ schema }, { text }) {
    await schema.alterTable('carnet_user').addColumn('delete_at', 'bigint').execute();
    // Few users are to be deleted: the index has them only.
    await schema
      .createIndex('carnet_user_delete')
      .on('carnet_user')
      .column('delete_at')
      .where('delete_at', 'is not', null)
      .execute();
    await schema.alterTable('carnet_link').addColumn('user_id', text).execute();
    await schema.createIndex('carnet_link_user').on('carnet_link').column('user_id').execute();
  },
  async down({ schema }) {
    await schema.dropIndex('carnet_link_user').execute();
    await schema.alterTable('carnet_link').dropColumn('user_id').execute();
    await schema.dropIndex('carnet_user_delete').execute();
    await schema.alterTable('carnet_user').dropColumn('delete_at').execute();
  },
};
