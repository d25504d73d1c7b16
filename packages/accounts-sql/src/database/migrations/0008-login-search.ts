import type { MigrationStep } from './migration-step.ts';

/** Both ways from login names to users are read from an index alone, without the rows of the table. */
export const loginSearch: MigrationStep = {
  async up({ schema }) {
    await schema
      .createIndex('carnet_identifier_search')
      .on('carnet_identifier')
      .columns(['normalised', 'user_id'])
      .execute();
    await schema
      .createIndex('carnet_identifier_owner')
      .on('carnet_identifier')
      .columns(['user_id', 'normalised'])
      .execute();
    await schema.dropIndex('carnet_identifier_user').execute();
  },
  async down({ schema }) {
    await schema.createIndex('carnet_identifier_user').on('carnet_identifier').column('user_id').execute();
    await schema.dropIndex('carnet_identifier_owner').execute();
    await schema.dropIndex('carnet_identifier_search').execute();
  },
};
