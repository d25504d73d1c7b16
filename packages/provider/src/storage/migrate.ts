import type { StorageConfig } from './config.ts';
import { guardCall } from './guard.ts';
import { closeAll, openMigrators } from './open-storage.ts';

/**
 * Brings the schema of every store up to date, as a process does that starts; answers with what was applied. Any number
 * of processes may do so at once. What only a person may decide is left out, but in dev mode.
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
