import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

/** One step of the schema. A released step never changes: databases have applied it. */
export interface MigrationStep {
  up(database: Kysely<Schema>): Promise<void>;
  down(database: Kysely<Schema>): Promise<void>;
}
