import type { OpenMigrator } from '@carnet/adapter-contract';
import { createCalls } from './calls.ts';
import { openDatabase } from './database.ts';
import { parseLocation } from './location.ts';
import { whenUnlocked } from './lock.ts';
import { migrateDown, migrateUp, readMigrations } from './schema.ts';

/** Opens the file and changes nothing in it until it is told to. `openAdapter` applies what is missing by itself. */
export const openMigrator: OpenMigrator = async ({ url }) => {
  const location = parseLocation(url);
  const calls = createCalls(location.path);
  const database = await calls.run(() => openDatabase(location));
  const run = <T>(work: () => T): Promise<T> => calls.run(() => whenUnlocked(work, location.busyTimeoutMs));

  return {
    status: () => run(() => readMigrations(database)),
    up: () => run(() => migrateUp(database)),
    down: () => run(() => migrateDown(database)),
    async close() {
      await calls.close();
      if (database.isOpen) database.close();
    },
  };
};
