import type { StorageConfig } from './config.ts';
import { openMigrators } from './open-storage.ts';

/** Brings the schema of every store up to date; answers with what was applied. Any number of processes may do so at once. */
export const migrateUp = async (config: StorageConfig): Promise<readonly string[]> => {
  const applied: string[] = [];
  for (const migrator of (await openMigrators(config)).values()) {
    try {
      applied.push(...(await migrator.up()));
    } finally {
      await migrator.close();
    }
  }
  return applied;
};
