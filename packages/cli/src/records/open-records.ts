import type { StorageAdapter } from '@carnet/adapter-contract';
import { composeStores, type OpenedStores, openStores, type StorageConfig } from '@carnet/provider/storage';

/** Runs `work` on the records of all issuers in the stores of a configuration. */
export const withRecords = async <T>(
  storage: StorageConfig,
  work: (records: StorageAdapter, stores: OpenedStores['stores']) => Promise<T>,
): Promise<T> => {
  const { stores, close } = await openStores(storage);
  try {
    return await work(composeStores(stores), stores);
  } finally {
    await close();
  }
};
