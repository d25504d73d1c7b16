import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './executables.ts';
import { sendCommand } from './redis-connection.ts';
import { startServerProcess } from './server-process.ts';

/** A Redis for tests, which can be hurt: whoever runs it is gone, it is gone too. */
export interface RedisServer {
  /** `redis://127.0.0.1:port`, with the password if `requirepass` is configured. */
  readonly url: string;
  readonly port: number;
  /** Throws while the server is down. */
  readonly pid: number;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Same port, same data. Resolves when the data is loaded. What `CONFIG SET` and `REPLICAOF` changed is forgotten. */
  start(): Promise<void>;
  /** Same port, no data. Only of a server that was killed. */
  startEmpty(): Promise<void>;
  /**
   * SIGSTOP: connections stay open, and new ones are still accepted by the system, but nothing answers. `kill` and
   * `close` need no `resume`.
   */
  pause(): void;
  resume(): void;
  /** One command over a connection of its own, such as `CONFIG SET maxmemory-policy allkeys-lru`. */
  command(...command: readonly [string, ...string[]]): Promise<unknown>;
  close(): Promise<void>;
}

interface RedisProcessOptions {
  readonly password?: string | undefined;
  /** Fills the empty data folder, and answers the arguments to start with. */
  prepare(data: string): readonly string[];
}

/** `INFO` tells whose it is: on a port that was taken meanwhile another server would answer. */
const isReady = async (pid: number, port: number, password: string | undefined): Promise<boolean> => {
  try {
    const info = `${await sendCommand({ port, password }, ['INFO'], 2_000)}`;
    return info.includes(`process_id:${pid}\r`) && !info.includes('loading:1\r');
  } catch {
    return false;
  }
};

/** Where the data is, and how it comes to be: made anew by each `empty`. */
const openDataFolder = (prepare: RedisProcessOptions['prepare']) => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-redis-'));
  const data = join(folder, 'data');
  let args: readonly string[] = [];
  const empty = () => {
    rmSync(data, { recursive: true, force: true });
    mkdirSync(data);
    args = prepare(data);
  };
  return { folder, empty, args: () => args };
};

const startProcess = async ({ password, prepare }: RedisProcessOptions) => {
  const { folder, empty, args } = openDataFolder(prepare);
  try {
    empty();
    const server = await startServerProcess({
      name: 'redis-server',
      command: findProgram('redis-server', 'Redis (Debian: `redis-server`)'),
      args: (port) => [...args(), '--port', `${port}`],
      folder,
      isReady: ({ pid, port }) => isReady(pid, port, password),
      killSignal: 'SIGKILL',
    });
    return { server, empty };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
};

/** Starts `redis-server` on 127.0.0.1, with data of its own below the system's temporary folder. */
export const startRedisProcess = async (options: RedisProcessOptions): Promise<RedisServer> => {
  const { server, empty } = await startProcess(options);
  const { port } = server;
  const { password } = options;
  const kill = () => server.end('SIGKILL');
  return {
    url: `redis://${password ? `:${encodeURIComponent(password)}@` : ''}127.0.0.1:${port}`,
    port,
    get pid() {
      return server.pid();
    },
    kill,
    start: () => server.start(),
    async startEmpty() {
      if (server.isRunning()) throw new Error('redis-server is running: kill it before it is started empty.');
      empty();
      await server.start();
    },
    pause: () => void process.kill(server.pid(), 'SIGSTOP'),
    resume: () => void process.kill(server.pid(), 'SIGCONT'),
    command: (...command) => sendCommand({ port, password }, command),
    async close() {
      await kill();
      await server.close();
    },
  };
};
