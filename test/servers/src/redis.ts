import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findProgram } from './executables.ts';
import { inNewFolder, type ServerProcess, startServerProcess } from './server-process.ts';

/**
 * A Redis for tests, which can be hurt. It ends with the process that started it. What `CONFIG SET` and `REPLICAOF` changed
 * is forgotten when it is started again.
 */
export interface RedisServer extends ServerProcess {
  /** `redis://127.0.0.1:port`, with the password if `requirepass` is configured. */
  readonly url: string;
  /** Same port, no data. Only of a server that was killed. */
  startEmpty(): Promise<void>;
  /** One command over a connection of its own, such as `CONFIG SET maxmemory-policy allkeys-lru`. */
  command(...command: readonly [string, ...string[]]): Promise<unknown>;
}

interface RedisProcessOptions {
  readonly password?: string | undefined;
  /** Fills the empty data folder, and answers the arguments to start with. */
  prepare(data: string): readonly string[];
}

/** One command over a connection of its own, so that no state outlives a kill. Rejects when there is no answer in time. */
const sendCommand = async (
  { port, password }: { readonly port: number; readonly password?: string | undefined },
  [name, ...args]: readonly [string, ...string[]],
  timeoutMs = 10_000,
): Promise<unknown> => {
  const redis = new Redis({
    host: '127.0.0.1',
    port,
    password,
    protocol: 2,
    lazyConnect: true,
    disableClientInfo: true,
    enableReadyCheck: false,
    retryStrategy: null,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
  });
  // What goes wrong rejects the command.
  redis.on('error', () => {});
  try {
    await redis.connect();
    return await redis.call(name, ...args);
  } finally {
    redis.disconnect();
  }
};

/** `INFO` tells whose it is: on a port that was taken meanwhile another server would answer. */
const isReady = async (pid: number, port: number, password: string | undefined): Promise<boolean> => {
  const info = `${await sendCommand({ port, password }, ['INFO'], 2_000)}`;
  return info.includes(`process_id:${pid}\r`) && !info.includes('loading:1\r');
};

/** Starts `redis-server` on 127.0.0.1, with data of its own below the system's temporary folder. */
export const startRedisProcess = ({ password, prepare }: RedisProcessOptions): Promise<RedisServer> =>
  inNewFolder('redis', async (folder) => {
    const data = join(folder, 'data');
    let args: readonly string[] = [];
    const empty = () => {
      rmSync(data, { recursive: true, force: true });
      mkdirSync(data);
      args = prepare(data);
    };
    empty();
    const server = await startServerProcess({
      name: 'redis-server',
      command: findProgram('redis-server', 'Redis (Debian: `redis-server`)'),
      args: (port) => [...args, '--port', `${port}`],
      folder,
      isReady: ({ pid, port }) => isReady(pid, port, password),
    });
    const { port } = server;
    return Object.assign(server, {
      url: `redis://${password ? `:${encodeURIComponent(password)}@` : ''}127.0.0.1:${port}`,
      async startEmpty() {
        if (server.isRunning()) throw new Error('redis-server is running: kill it before it is started empty.');
        empty();
        await server.start();
      },
      command: (...command: readonly [string, ...string[]]) => sendCommand({ port, password }, command),
    });
  });

export interface RedisOptions {
  /** Directives of redis.conf over the defaults, which lose nothing that was answered: appendonly, fsync always. */
  readonly config?: Readonly<Record<string, string>>;
}

const defaults = {
  bind: '127.0.0.1',
  daemonize: 'no',
  save: '',
  appendonly: 'yes',
  appendfsync: 'always',
  'maxmemory-policy': 'noeviction',
  // A replica is served at once, not after the seconds that suit a data centre.
  'repl-ping-replica-period': '1',
  'repl-diskless-sync-delay': '0',
};

/** Starts a Redis that stands alone. */
export const startRedis = ({ config = {} }: RedisOptions = {}): Promise<RedisServer> =>
  startRedisProcess({
    password: config.requirepass,
    prepare: (data) =>
      Object.entries({ ...defaults, ...config, dir: data }).flatMap(([name, value]) => [`--${name}`, value]),
  });
