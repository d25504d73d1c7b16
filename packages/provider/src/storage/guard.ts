import type { StorageAdapter } from '@carnet/adapter-contract';
import { CarnetError } from '../errors.ts';
import type { CommitHealth } from './commit-health.ts';

/**
 * Names the error of a driver. A TypeError or RangeError is a bug of Carnet or the adapter, not an outage, and is
 * returned as it is.
 */
const named = (cause: unknown): unknown => {
  if (cause instanceof TypeError || cause instanceof RangeError || cause instanceof CarnetError) return cause;
  return new CarnetError('storage_unavailable', 'The store did not answer. Try again in a moment.', { cause });
};

/** The result of `call`. Its failure is named. */
export const guardCall = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (cause) {
    throw named(cause);
  }
};

interface GuardOptions {
  /** Wraps each call, to measure and trace it. Its outcome stays what it is. */
  readonly around?: <T>(operation: 'read' | 'commit' | 'list' | 'sweep', call: () => Promise<T>) => Promise<T>;
  /** Is notified of commits that succeed and fail. */
  readonly health?: CommitHealth;
}

/** The same adapter, its failures named: what a driver throws becomes `storage_unavailable`, with the cause kept. */
export const guardAdapter = (
  adapter: StorageAdapter,
  { around = (_operation, call) => call(), health }: GuardOptions = {},
): StorageAdapter => ({
  capabilities: adapter.capabilities,
  read: (keys) => guardCall(() => around('read', () => adapter.read(keys))),
  async commit(writes) {
    try {
      const conflict = await around('commit', () => adapter.commit(writes));
      // A conflict wrote nothing: it shows neither that the store accepts commits nor that it does not.
      if (conflict === undefined) health?.succeeded();
      return conflict;
    } catch (cause) {
      const error = named(cause);
      if (error instanceof CarnetError && error.code === 'storage_unavailable') health?.failed(error);
      throw error;
    }
  },
  list: (query) => guardCall(() => around('list', () => adapter.list(query))),
  scan: (query) => guardCall(() => adapter.scan(query)),
  sweep: (limit) => guardCall(() => around('sweep', () => adapter.sweep(limit))),
  ping: () => guardCall(() => adapter.ping()),
  close: () => adapter.close(),
});

/** By name: the adapter may have a copy of the contract of its own. */
const isUnfit = (error: unknown): error is Error => error instanceof Error && error.name === 'StoreUnfitError';

/** The action of the operator that makes the store usable. Undefined if the store does not answer. */
export const remedyIn = (error: unknown): string | undefined =>
  error instanceof CarnetError && isUnfit(error.cause) ? error.cause.message : undefined;
