import type { Migrator } from '@carnet/adapter-contract';
import { createKyselyMigrator, type KyselyStep } from '@carnet/adapter-contract/kysely';
import { type Kysely, sql } from 'kysely';
import type { Address } from './address.ts';
import { migrations } from './migrations/migrations.ts';
import type { Schema } from './schema.ts';

/** The migrations of an accounts database. Its `close` ends the connections of `database`. */
export const createMigrator = (database: Kysely<Schema>, engine: Address['engine']): Migrator => {
  const types = { text: engine === 'postgres' ? sql`text collate "C"` : sql`text` };
  const steps = Object.entries(migrations).map(([name, { up, down }]): [string, KyselyStep<Schema>] => [
    name,
    { up: (tables) => up(tables, types), down },
  ]);
  return createKyselyMigrator({
    database,
    table: 'carnet_accounts_migration',
    appliedAt: { type: sql`bigint`, now: Date.now },
    steps: Object.fromEntries(steps),
  });
};
