import type { StorageAdapter } from '@carnet/adapter-contract';
import { CarnetError } from '../errors.ts';

const guardCall = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (cause) {
    // A TypeError or RangeError is a bug of ours or the adapter's, not an outage: it stays what it is.
    if (cause instanceof TypeError || cause instanceof RangeError || cause instanceof CarnetError) throw cause;
    throw new CarnetError('storage_unavailable', 'The store did not answer. Try again in a moment.', { cause });
  }
};

/** The same adapter, its failures named: what a driver throws becomes `storage_unavailable`, with the cause kept. */
export const guardAdapter = (adapter: StorageAdapter): StorageAdapter => ({
  capabilities: adapter.capabilities,
  read: (keys) => guardCall(() => adapter.read(keys)),
  commit: (writes) => guardCall(() => adapter.commit(writes)),
  list: (query) => guardCall(() => adapter.list(query)),
  sweep: (limit) => guardCall(() => adapter.sweep(limit)),
  ping: () => guardCall(() => adapter.ping()),
  close: () => adapter.close(),
});
