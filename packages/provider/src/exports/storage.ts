/** `@carnet/provider/storage`: the stores of a configuration, for programs that migrate, sweep or inspect them. */
export { composeStores } from '../storage/compose.ts';
export type { StorageConfig } from '../storage/config.ts';
export { assertFits, type GroupName, groupNames } from '../storage/groups.ts';
export { remedyIn } from '../storage/guard.ts';
export { closeAll, type OpenedStores, openMigrators, openStores } from '../storage/open-storage.ts';
export { sweepBatches } from '../storage/sweep.ts';
