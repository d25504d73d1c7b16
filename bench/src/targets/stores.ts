import { join } from 'node:path';
import { startDatastore, startMariadb, startPostgres, startRedis } from '@carnet/test-servers';
import { Redis } from 'ioredis';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { makeScratchFolder, removeScratchFolder } from './scratch-folder.ts';

export const storeNames = ['memory', 'sqlite', 'postgres', 'mysql', 'redis', 'datastore'] as const;
export type StoreName = (typeof storeNames)[number];

export interface RunningStore {
  readonly url: string;
  readonly processIds: readonly number[];
  /** The settings for durability, as the store itself reports them. */
  readonly durability: string;
  readonly version: string;
  stop(): Promise<void>;
}

const memory = async (): Promise<RunningStore> => ({
  url: 'memory:',
  processIds: [],
  durability: 'none',
  version: 'memory',
  stop: async () => {},
});

/** Each connection of the adapter sets its own durability. */
const sqlite = async (): Promise<RunningStore> => {
  const folder = makeScratchFolder('sqlite');
  return {
    url: `sqlite:${join(folder, 'carnet.db')}`,
    processIds: [],
    durability: 'journal_mode=wal synchronous=full',
    version: `SQLite ${process.versions.sqlite}`,
    stop: async () => removeScratchFolder(folder),
  };
};

const describePostgres = async (url: string): Promise<Pick<RunningStore, 'durability' | 'version'>> => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings
       where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'server_version') order by name`,
    );
    const durable = rows.filter(({ name }) => name !== 'server_version');
    return {
      durability: durable.map(({ name, setting }) => `${name}=${setting}`).join(' '),
      version: `Postgres ${rows.find(({ name }) => name === 'server_version')?.setting}`,
    };
  } finally {
    await client.end();
  }
};

const postgres = async (): Promise<RunningStore> => {
  const server = await startPostgres({
    settings: { shared_preload_libraries: 'pg_stat_statements', shared_buffers: '256MB' },
  });
  const url = await server.createDatabase();
  return { url, processIds: [server.pid], ...(await describePostgres(url)), stop: () => server.close() };
};

const describeMariadb = async (url: string): Promise<Pick<RunningStore, 'durability' | 'version'>> => {
  const connection = await mysql.createConnection(url);
  try {
    const [[row]] = await connection.query<mysql.RowDataPacket[]>(
      'select version() as version, @@innodb_flush_log_at_trx_commit as flush, @@innodb_doublewrite as doublewrite',
    );
    return {
      durability: `innodb_flush_log_at_trx_commit=${row?.flush} innodb_doublewrite=${row?.doublewrite}`,
      version: `MariaDB ${row?.version}`,
    };
  } finally {
    await connection.end();
  }
};

/** MariaDB. The scheme and the package are called after the protocol. */
const mariadb = async (): Promise<RunningStore> => {
  const server = await startMariadb({ settings: { 'innodb-buffer-pool-size': '256M', 'max-connections': '300' } });
  const { url, pid } = server;
  return { url, processIds: [pid], ...(await describeMariadb(url)), stop: () => server.close() };
};

const describeRedis = async (url: string): Promise<Pick<RunningStore, 'durability' | 'version'>> => {
  const client = new Redis(url);
  try {
    const settings = (await client.config('GET', 'append*')) as readonly string[];
    const setting = (name: string) => `${name}=${settings[settings.indexOf(name) + 1]}`;
    return {
      durability: `${setting('appendonly')} ${setting('appendfsync')}`,
      version: `Redis ${/redis_version:(\S+)/.exec(await client.info('server'))?.[1]}`,
    };
  } finally {
    client.disconnect();
  }
};

const redis = async (): Promise<RunningStore> => {
  const server = await startRedis();
  const { url, pid } = server;
  return { url, processIds: [pid], ...(await describeRedis(url)), stop: () => server.close() };
};

/** The local server of this repository, not Google's. */
const datastore = async (): Promise<RunningStore> => {
  const server = await startDatastore();
  return {
    url: `datastore:${server.projectId}?endpoint=${server.host}`,
    processIds: [server.pid],
    durability: 'as the local server',
    version: 'local Datastore server',
    stop: () => server.close(),
  };
};

const starts: Readonly<Record<StoreName, () => Promise<RunningStore>>> = {
  memory,
  sqlite,
  postgres,
  mysql: mariadb,
  redis,
  datastore,
};

/** Starts a new store with the durability of production. */
export const startStore = (name: StoreName): Promise<RunningStore> => starts[name]();
