import type { OpenAdapter } from '@carnet/adapter-contract';
import { openMemoryAdapter } from './memory-adapter.ts';

export { type MemoryAdapterOptions, openMemoryAdapter } from './memory-adapter.ts';

/** Open a store of its own for each call; the URL is `memory:`. For development and tests: it ends with the process. */
export const openAdapter: OpenAdapter = async ({ url }) => {
  if (!url.startsWith('memory:')) throw new Error('The memory adapter opens the URL "memory:" and no other.');
  return openMemoryAdapter();
};
