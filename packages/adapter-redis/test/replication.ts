import { type RedisServer, startRedisCluster, startRedisSentinel } from '@carnet/test-servers';
import { vi } from 'vitest';

/** Masters and their replicas, of whom one takes the place of the other. */
export interface ReplicatedRedis {
  readonly url: string;
  readonly nodes: readonly RedisServer[];
  masterOf(key: string): Promise<RedisServer>;
  close(): Promise<void>;
}

/** By name. */
export const replicatedRedis: Readonly<Record<string, () => Promise<ReplicatedRedis>>> = {
  'a Cluster': startRedisCluster,
  'Redis with a Sentinel': async () => {
    const redis = await startRedisSentinel();
    return { ...redis, masterOf: () => redis.master() };
  },
};

const infoOf = async (node: RedisServer): Promise<string> => `${await node.command('INFO', 'replication')}`;

/** Resolves when the replica has all that its master has: what is acknowledged is on its way there, no more is promised. */
export const replicated = (master: RedisServer): Promise<void> =>
  vi.waitFor(
    async () => {
      const info = await infoOf(master);
      const [, written] = /^master_repl_offset:(\d+)/m.exec(info) ?? [];
      const [, received] = /^slave0:.*offset=(\d+)/m.exec(info) ?? [];
      if (written === undefined || received !== written) throw new Error(`Of ${written} the replica has ${received}.`);
    },
    { timeout: 30_000, interval: 20 },
  );

/** The only one. */
export const replicaOf = async (master: RedisServer, nodes: readonly RedisServer[]): Promise<RedisServer> => {
  const [, port] = /^slave0:.*port=(\d+)/m.exec(await infoOf(master)) ?? [];
  const replica = nodes.find((node) => `${node.port}` === port);
  if (replica === undefined) throw new Error('The master has no replica.');
  return replica;
};
