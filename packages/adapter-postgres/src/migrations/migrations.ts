import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { records } from './0001-records.ts';

/** One step of the schema. What it did in a release stays as it is: databases have it. */
export interface MigrationStep {
  up(database: Kysely<Schema>): Promise<void>;
  down(database: Kysely<Schema>): Promise<void>;
}

/** Every step by its name; they are applied in the order of the names. */
export const migrations: Readonly<Record<string, MigrationStep>> = { '0001-records': records };
