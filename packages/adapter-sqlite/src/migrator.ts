import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { OpenMigrator } from '@carnet/adapter-contract';
import { parseAddress } from './address.ts';
import { createCalls } from './calls.ts';
import { assertFolder, openDatabase } from './database.ts';
import { whenUnlocked } from './lock.ts';
import { migrateDown, migrateUp, readMigrations } from './migrate.ts';

/** Changes nothing until `up` or `down` is called. `openAdapter` applies missing steps itself. */
export const openMigrator: OpenMigrator = async ({ url }) => {
  const address = parseAddress(url);
  const calls = createCalls(address.path);
  let opening: Promise<DatabaseSync> | undefined;
  const open = (): Promise<DatabaseSync> => {
    opening ??= openDatabase(address);
    return opening;
  };
  const run = <T>(work: (database: DatabaseSync) => T): Promise<T> =>
    calls.run(async () => {
      const opened = await open();
      return whenUnlocked(() => work(opened), address.busyTimeoutMs);
    });
  assertFolder(address.path);
  if (existsSync(address.path)) await calls.run(open);

  return {
    status: () => (existsSync(address.path) ? run(readMigrations) : calls.run(async () => readMigrations(undefined))),
    up: () => run(migrateUp),
    down: () => run(migrateDown),
    async close() {
      await calls.close();
      (await opening?.catch(() => undefined))?.close();
    },
  };
};
