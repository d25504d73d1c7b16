import type { OpenMigrator } from '@carnet/adapter-contract';
import { parseAddress } from './address.ts';
import { createCalls } from './calls.ts';
import { openDatabase } from './database.ts';
import { whenUnlocked } from './lock.ts';
import { migrateDown, migrateUp, readMigrations } from './migrate.ts';

/** Opens the file and changes nothing in it until it is told to. `openAdapter` applies what is missing by itself. */
export const openMigrator: OpenMigrator = async ({ url }) => {
  const address = parseAddress(url);
  const calls = createCalls(address.path);
  const database = await calls.run(() => openDatabase(address));
  const run = <T>(work: () => T): Promise<T> => calls.run(() => whenUnlocked(work, address.busyTimeoutMs));

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
