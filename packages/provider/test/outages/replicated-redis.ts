import { type RedisServer, startRedisCluster, startRedisSentinel } from '@carnet/test-servers';
import { vi } from 'vitest';

/** Servers of which another takes the place of one that is lost. */
export interface ReplicatedRedis {
  readonly url: string;
  /** The master that has a key. */
  masterOf(key: string): Promise<RedisServer>;
  /** Resolves when the replicas have what their masters have. */
  replicated(): Promise<void>;
  close(): Promise<void>;
}

const offsets = async (node: RedisServer): Promise<readonly [role: string, written: string, received?: string]> => {
  const info = `${await node.command('INFO', 'replication')}`;
  const find = (form: RegExp) => form.exec(info)?.[1];
  return [find(/^role:(\w+)/m) ?? '', find(/^master_repl_offset:(\d+)/m) ?? '', find(/^slave0:.*offset=(\d+)/m)];
};

const replicated = async (nodes: readonly RedisServer[]): Promise<void> => {
  for (const node of nodes) {
    await vi.waitFor(
      async () => {
        const [role, written, received] = await offsets(node);
        if (role === 'master' && written !== received) throw new Error(`Of ${written} the replica has ${received}.`);
      },
      { timeout: 30_000, interval: 20 },
    );
  }
};

/** By name. */
export const replicatedRedis: Readonly<Record<string, () => Promise<ReplicatedRedis>>> = {
  'a Redis Cluster': async () => {
    const cluster = await startRedisCluster();
    return { ...cluster, replicated: () => replicated(cluster.nodes) };
  },
  'Redis with a Sentinel': async () => {
    const redis = await startRedisSentinel();
    return { ...redis, masterOf: () => redis.master(), replicated: () => replicated(redis.nodes) };
  },
};
