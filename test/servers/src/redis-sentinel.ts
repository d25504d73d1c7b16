import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RedisServer, startRedis, startRedisProcess } from './redis.ts';
import { waitUntil } from './wait-until.ts';

const masterName = 'mymaster';

/** A master, its replica, and the sentinel that replaces the one by the other. */
export interface SentinelRedis {
  /** `redis-sentinel://127.0.0.1:port/mymaster`: the sentinel's port, the master's name. */
  readonly url: string;
  /** The one that was master first. */
  readonly nodes: readonly RedisServer[];
  readonly sentinel: RedisServer;
  /** Who is master at this moment, by the sentinel. */
  master(): Promise<RedisServer>;
  close(): Promise<void>;
}

/** It decides alone, and soon. It writes to its own configuration. */
const configurationFor = (master: RedisServer): string => `
bind 127.0.0.1
sentinel monitor ${masterName} 127.0.0.1 ${master.port} 1
sentinel down-after-milliseconds ${masterName} 1500
sentinel failover-timeout ${masterName} 3000
`;

const startSentinelOf = (master: RedisServer): Promise<RedisServer> =>
  startRedisProcess({
    prepare(data) {
      const file = join(data, 'sentinel.conf');
      writeFileSync(file, configurationFor(master));
      return [file, '--sentinel', '--dir', data];
    },
  });

const attach = async (replica: RedisServer, master: RedisServer): Promise<void> => {
  await replica.command('REPLICAOF', '127.0.0.1', `${master.port}`);
  await waitUntil('replica that is up to date', async () =>
    `${await replica.command('INFO')}`.includes('master_link_status:up'),
  );
};

const form = async (started: RedisServer[]): Promise<SentinelRedis> => {
  const start = async (starting: Promise<RedisServer>) => {
    const server = await starting;
    started.push(server);
    return server;
  };
  const nodes = [await start(startRedis()), await start(startRedis())] as const;
  await attach(nodes[1], nodes[0]);
  const sentinel = await start(startSentinelOf(nodes[0]));
  await waitUntil('sentinel that knows the replica', async () =>
    `${await sentinel.command('INFO', 'sentinel')}`.includes('slaves=1'),
  );
  return {
    url: `redis-sentinel://127.0.0.1:${sentinel.port}/${masterName}`,
    nodes,
    sentinel,
    async master() {
      const [, port] = (await sentinel.command('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', masterName)) as string[];
      const found = nodes.find((node) => `${node.port}` === port);
      if (found === undefined) throw new Error('The sentinel names a master that is none of ours.');
      return found;
    },
    close: async () => void (await Promise.all(started.map((server) => server.close()))),
  };
};

/** Starts Redis with a sentinel on 127.0.0.1. */
export const startRedisSentinel = async (): Promise<SentinelRedis> => {
  const started: RedisServer[] = [];
  try {
    return await form(started);
  } catch (error) {
    await Promise.all(started.map((server) => server.close()));
    throw error;
  }
};
