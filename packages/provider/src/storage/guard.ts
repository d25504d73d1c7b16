import type { StorageAdapter } from '@carnet/adapter-contract';
import { CarnetError } from '../errors.ts';

/** The same outcome, its failure named. */
export const guardCall = async <T>(call: () => Promise<T>): Promise<T> => {
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

/** By name: the adapter may have a copy of the contract of its own. */
const isUnfit = (error: unknown): error is Error => error instanceof Error && error.name === 'StoreUnfitError';

/** What somebody has to do before the store can be used; nothing when it just does not answer. */
export const remedyIn = (error: unknown): string | undefined =>
  error instanceof CarnetError && isUnfit(error.cause) ? error.cause.message : undefined;
