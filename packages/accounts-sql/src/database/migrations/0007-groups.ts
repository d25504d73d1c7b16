import type { MigrationStep } from './migration-step.ts';

/** Groups and their members, and the ids that provisioning clients give to users and groups. */
export const groups: MigrationStep = {
  async up({ schema }, { text }) {
    await schema
      .createTable('carnet_group')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('name_key', text, (column) => column.notNull().unique())
      .addColumn('external_id', text)
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute();
    await schema.createIndex('carnet_group_external').on('carnet_group').columns(['external_id', 'id']).execute();
    await schema
      .createTable('carnet_group_member')
      .addColumn('group_id', text, (column) => column.notNull())
      .addColumn('user_id', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('carnet_group_member_pkey', ['group_id', 'user_id'])
      .execute();
    await schema
      .createIndex('carnet_group_member_user')
      .on('carnet_group_member')
      .columns(['user_id', 'group_id'])
      .execute();
    await schema.alterTable('carnet_user').addColumn('external_id', text).execute();
    await schema.createIndex('carnet_user_external').on('carnet_user').columns(['external_id', 'id']).execute();
  },
  async down({ schema }) {
    await schema.dropIndex('carnet_user_external').execute();
    await schema.alterTable('carnet_user').dropColumn('external_id').execute();
    await schema.dropTable('carnet_group_member').execute();
    await schema.dropTable('carnet_group').execute();
  },
};
