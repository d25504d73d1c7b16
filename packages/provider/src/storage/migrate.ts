import type { StorageConfig } from './config.ts';
import { guardCall } from './guard.ts';
import { closeAll, openMigrators } from './open-storage.ts';

/**
 * Migrates the schema of every store at startup. Returns the applied steps. Several processes may do so at once.
 * Outside dev mode it skips stores that only an operator may migrate (`onlyByHand`).
 */
export const migrateAtStart = async (config: StorageConfig, dev: boolean): Promise<readonly string[]> => {
  const applied: string[] = [];
  const migrators = await openMigrators(config);
  try {
    for (const migrator of migrators.values())
      if (dev || !migrator.onlyByHand) applied.push(...(await guardCall(() => migrator.up())));
    return applied;
  } finally {
    await closeAll(migrators);
  }
};
