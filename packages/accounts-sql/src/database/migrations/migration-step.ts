import type { Kysely, RawBuilder } from 'kysely';
import type { Schema } from '../schema.ts';

/** The column types that differ between SQLite and Postgres. */
export interface ColumnTypes {
  /** Text that is compared byte by byte: pages have the same order in both engines. */
  readonly text: RawBuilder<unknown>;
}

/** One step of the schema. A released step never changes: databases have applied it. */
export interface MigrationStep {
  up(database: Kysely<Schema>, types: ColumnTypes): Promise<void>;
  down(database: Kysely<Schema>): Promise<void>;
}
