import type { StorageAdapter } from '@carnet/adapter-contract';

/** Wraps a call of the store: to measure it, to trace it. Its outcome stays what it is. */
export type AroundCall = <T>(operation: 'read' | 'commit' | 'list' | 'sweep', call: () => Promise<T>) => Promise<T>;

/** The same adapter, each call seen. */
export const observeAdapter = (adapter: StorageAdapter, around: AroundCall): StorageAdapter => ({
  capabilities: adapter.capabilities,
  read: (keys) => around('read', () => adapter.read(keys)),
  commit: (writes) => around('commit', () => adapter.commit(writes)),
  list: (query) => around('list', () => adapter.list(query)),
  sweep: (limit) => around('sweep', () => adapter.sweep(limit)),
  ping: () => adapter.ping(),
  close: () => adapter.close(),
});
