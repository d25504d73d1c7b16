export { openTestPostgres } from './open-test-postgres.ts';
export { type PostgresOptions, type PostgresServer, startPostgres, type TestPostgres } from './postgres.ts';
export { startProxy, type TestProxy } from './proxy.ts';
export type { ProxyMode } from './proxy-line.ts';
export { type RedisOptions, startRedis } from './redis.ts';
export { type ClusterNode, type RedisCluster, type RedisClusterOptions, startRedisCluster } from './redis-cluster.ts';
export type { RedisServer } from './redis-process.ts';
export { type SentinelRedis, startRedisSentinel } from './redis-sentinel.ts';
