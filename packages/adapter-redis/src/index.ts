import type { StorageAdapter } from '@carnet/adapter-contract';
import type { RedisStore } from './client-address.ts';
import { openRedisAdapter } from './redis-adapter.ts';

export type { RedisStore, SharedClient } from './client-address.ts';
export { openMigrator } from './migrator.ts';
export { openRedisAdapter, type RedisAdapterOptions } from './redis-adapter.ts';

/**
 * Opens the store at `redis://`, `redis-sentinel://` or `redis-cluster://` (with TLS: `rediss://`, `rediss-sentinel://`,
 * `rediss-cluster://`), or on the server of an ioredis client that the app has already and closes itself.
 *
 * @throws StoreUnfitError when the URL or the server can't be used: it evicts, is a replica, is too old, or its data set
 * is not there.
 * @example
 * const carnet = await createProvider(config, { adapter: await openAdapter({ client: redis }) });
 */
export const openAdapter = (store: RedisStore): Promise<StorageAdapter> => openRedisAdapter(store);
