import { setTimeout as delay } from 'node:timers/promises';
import type { StorageAdapter } from '@carnet/adapter-contract';
import type { ConfigInput } from '@carnet/provider';
import { type ClusterNode, startMariadb, startPostgres, startRedisCluster } from '@carnet/test-servers';
import { afterAll } from 'vitest';
import { composeStores } from '../../src/storage/compose.ts';
import { type StorageConfig, storageSchema } from '../../src/storage/config.ts';
import { openStores } from '../../src/storage/open-storage.ts';

/** A durable store, as `storage` in the configuration names it. */
export interface TestStore {
  readonly storage: NonNullable<ConfigInput['storage']>;
  /** Kills its servers without a farewell, and starts them again with what they had. */
  restart(): Promise<void>;
}

interface Server {
  kill(): Promise<void>;
  start(): Promise<void>;
  readonly role?: ClusterNode['role'];
  command?(...command: readonly [string, ...string[]]): Promise<unknown>;
}

/** The nodes of a Redis Cluster have to find each other again before they answer. */
const untilClusterAnswers = async ({ role, command }: Server): Promise<void> => {
  if (role === undefined) return;
  while (!`${await command?.('CLUSTER', 'INFO')}`.includes('cluster_state:ok')) await delay(20);
};

const endings: (() => Promise<void>)[] = [];
afterAll(async () => void (await Promise.all(endings.map((end) => end()))));

/** A server that is started when it is first asked for, and closed when the tests of the file are over. */
const shared = <S extends { close(): Promise<void> }>(start: () => Promise<S>): (() => Promise<S>) => {
  let server: Promise<S> | undefined;
  return () => {
    if (server === undefined) {
      server = start();
      endings.push(async () => (await server)?.close());
    }
    return server;
  };
};

// What survives a killed server need not survive a lost disk.
const database = shared(() => startPostgres({ settings: { fsync: 'off' } }));
const mysqlDatabase = shared(() => startMariadb({ settings: { 'innodb-flush-method': 'nosync' } }));
/** Three masters without replicas, so that no write waits for one. */
const cluster = shared(async () => {
  const servers = await startRedisCluster({ replicas: 0 });
  return { ...servers, url: `${servers.url}?replicas=0` };
});

/** All of them at once, for tests on all of them. */
export const startServers = async (): Promise<void> =>
  void (await Promise.all([database(), mysqlDatabase(), cluster()]));

const on = (storage: TestStore['storage'], servers: readonly Server[]): TestStore => ({
  storage,
  async restart() {
    await Promise.all(servers.map((server) => server.kill()));
    await Promise.all(servers.map((server) => server.start()));
    await Promise.all(servers.map(untilClusterAnswers));
  },
});

const onDatabase =
  (open: () => Promise<Server & { createDatabase(): Promise<string> }>) => async (): Promise<TestStore> => {
    const server = await open();
    return on({ default: await server.createDatabase() }, [server]);
  };

const redisCluster = async (): Promise<TestStore> => {
  const { url, nodes } = await cluster();
  return on({ default: url }, nodes);
};

/** What may be lost is kept apart from what must not be. */
const composition = async (): Promise<TestStore> => {
  const [server, { url, nodes }] = await Promise.all([database(), cluster()]);
  const storage = { flows: url, sessions: url, consents: url, clientCredentials: url };
  return on({ default: await server.createDatabase(), ...storage }, [server, ...nodes]);
};

/**
 * The stores of the scenarios, by name: one whose commits are atomic as a whole, one that is atomic by grant, and both
 * together. The laws prove that the other stores behave as one of these.
 */
export const testStores = {
  Postgres: onDatabase(database),
  MariaDB: onDatabase(mysqlDatabase),
  'a Redis Cluster': redisCluster,
  'Postgres and a Redis Cluster': composition,
} satisfies Record<string, () => Promise<TestStore>>;

/** The store as the tests look into it, beside the providers. */
export const openTestStore = async ({ storage }: Pick<TestStore, 'storage'>): Promise<StorageAdapter> => {
  const { stores, close } = await openStores(storageSchema.parse(storage) as StorageConfig);
  return { ...composeStores(stores), close };
};
