import { type OpenAdapter, StoreUnfitError } from '@carnet/adapter-contract';
import { openMemoryAdapter } from './memory-adapter.ts';

export { type MemoryAdapterOptions, openMemoryAdapter } from './memory-adapter.ts';

/**
 * Open a store of its own for each call; the URL is `memory:`. For development and tests: it ends with the process.
 *
 * @throws StoreUnfitError for any other URL.
 */
export const openAdapter: OpenAdapter = async ({ url }) => {
  if (!url.startsWith('memory:')) throw new StoreUnfitError('The memory adapter opens the URL "memory:" and no other.');
  return openMemoryAdapter();
};
