import type { OpenAdapter } from '@carnet/adapter-contract';
import { openRedisAdapter } from './redis-adapter.ts';

export { openMigrator } from './migrator.ts';
export { openRedisAdapter, type RedisAdapterOptions } from './redis-adapter.ts';

/**
 * Open the store at `redis://`, `redis-sentinel://` or `redis-cluster://` (with TLS: `rediss://`, `rediss-sentinel://`,
 * `rediss-cluster://`).
 *
 * @throws StoreUnfitError when the URL or the server can't be used: it evicts, is a replica, is too old, or its data set
 * is not there.
 */
export const openAdapter: OpenAdapter = ({ url }) => openRedisAdapter({ url });
