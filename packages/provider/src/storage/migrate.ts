import type { StorageConfig } from './config.ts';
import { guardCall } from './guard.ts';
import { openMigrators } from './open-storage.ts';

/**
 * Brings the schema of every store up to date, as a process does that starts; answers with what was applied. Any number
 * of processes may do so at once. What only a person may decide is left out, but in dev mode.
 */
export const migrateAtStart = async (config: StorageConfig, dev: boolean): Promise<readonly string[]> => {
  const applied: string[] = [];
  for (const migrator of (await openMigrators(config)).values()) {
    try {
      if (dev || !migrator.onlyByHand) applied.push(...(await guardCall(() => migrator.up())));
    } finally {
      await migrator.close();
    }
  }
  return applied;
};
