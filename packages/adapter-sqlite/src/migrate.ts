import type { DatabaseSync } from 'node:sqlite';
import { type Migration, StoreUnfitError } from '@carnet/adapter-contract';
import { inTransaction } from './database.ts';
import { tablesAreMissing } from './faults.ts';
import { migrations } from './migrations.ts';

const createTable =
  'create table if not exists carnet_migration (name text primary key, applied_at integer not null) strict';

/** When each step was applied, by name. */
const readApplied = (database: DatabaseSync): ReadonlyMap<string, number> => {
  const isThere = database
    .prepare("select 1 from sqlite_schema where type = 'table' and name = 'carnet_migration'")
    .get();
  if (isThere === undefined) return new Map();
  const rows = database.prepare('select name, applied_at from carnet_migration order by name').all();
  return new Map(rows.map(({ name, applied_at }) => [String(name), Number(applied_at)]));
};

/** Throws StoreUnfitError for a database that a newer Carnet has changed: what an old one would do to it is not known. */
const assertKnown = (applied: ReadonlyMap<string, number>): void => {
  const unknown = [...applied.keys()].find((name) => migrations.every((migration) => migration.name !== name));
  if (unknown === undefined) return;
  throw new StoreUnfitError(
    `The SQLite store was migrated by a newer Carnet (${unknown}): run that version, or undo the step with its "carnet migrate down".`,
  );
};

/** Every step there is: those of this release, and what a newer one has applied. Without a database none has been. */
export const readMigrations = (database: DatabaseSync | undefined): readonly Migration[] => {
  const applied = database === undefined ? new Map<string, number>() : readApplied(database);
  const names = new Set([...migrations.map(({ name }) => name), ...applied.keys()]);
  return [...names].sort().map((name) => {
    const time = applied.get(name);
    return { name, appliedAt: time === undefined ? null : new Date(time) };
  });
};

/** Throws StoreUnfitError unless every step of this release has been applied, and no other. */
export const assertCurrent = (database: DatabaseSync): void => {
  const applied = readApplied(database);
  assertKnown(applied);
  if (migrations.every(({ name }) => applied.has(name))) return;
  throw new StoreUnfitError(tablesAreMissing);
};

/** Apply what is missing. The lock is held from the look to the change: of ten processes one does it. */
export const migrateUp = (database: DatabaseSync): readonly string[] =>
  inTransaction(database, () => {
    const applied = readApplied(database);
    assertKnown(applied);
    const missing = migrations.filter(({ name }) => !applied.has(name));
    if (missing.length > 0) database.exec(createTable);
    for (const { name, up } of missing) {
      database.exec(up);
      database.prepare('insert into carnet_migration values (?, ?)').run(name, Date.now());
    }
    return missing.map(({ name }) => name);
  });

/** Take the last step back. */
export const migrateDown = (database: DatabaseSync): string | undefined =>
  inTransaction(database, () => {
    const applied = readApplied(database);
    assertKnown(applied);
    const last = migrations.findLast(({ name }) => applied.has(name));
    if (last === undefined) return undefined;
    database.exec(last.down);
    database.prepare('delete from carnet_migration where name = ?').run(last.name);
    return last.name;
  });
