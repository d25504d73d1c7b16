import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServerProcess } from '../server-process.ts';
import { type Fault, type Statistics, sendControl } from './control.ts';
import type { ProcessSettings } from './main.ts';
import type { Concurrency } from './transactions.ts';

const program = fileURLToPath(new URL('main.ts', import.meta.url));

export interface DatastoreOptions {
  /** The delay of each call, half of it before and half of it after the server's work. */
  readonly latencyMs?: number;
  /** `pessimistic` without it, as Firestore in Datastore mode. */
  readonly concurrency?: Concurrency;
}

/** A server of `google.datastore.v1` for tests, in a process of its own that ends with this one. */
export interface DatastoreServer {
  /** `127.0.0.1:port`, for `DATASTORE_EMULATOR_HOST` or `apiEndpoint`. */
  readonly host: string;
  readonly port: number;
  readonly projectId: string;
  /** Throws while the server is down. */
  readonly pid: number;
  /** Has the next calls of a method fail, before or after they take effect. */
  failNext(fault: Fault): Promise<void>;
  clearFaults(): Promise<void>;
  statistics(): Promise<Statistics>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Same port, same data; running transactions are gone. */
  start(): Promise<void>;
  /** SIGSTOP: connections stay open, but no call is answered. `kill` and `close` need no `resume`. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

const isReady = async (pid: number, port: number): Promise<boolean> => {
  try {
    return (await sendControl(port, { name: 'statistics' }, 2_000)).pid === pid;
  } catch {
    return false;
  }
};

/** Starts the server on 127.0.0.1, with a data file of its own below the system's temporary folder. */
export const startDatastore = async ({
  latencyMs = 0,
  concurrency = 'pessimistic',
}: DatastoreOptions = {}): Promise<DatastoreServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-datastore-'));
  const projectId = 'carnet-test';
  const dataFile = join(folder, 'entities');
  const settings = (port: number): ProcessSettings => ({ port, projectId, dataFile, latencyMs, concurrency });
  const server = await startServerProcess({
    name: 'datastore',
    command: process.execPath,
    args: (port) => [program, JSON.stringify(settings(port))],
    folder,
    isReady: ({ pid, port }) => isReady(pid, port),
    killSignal: 'SIGKILL',
  });
  const { port } = server;
  return {
    host: `127.0.0.1:${port}`,
    port,
    projectId,
    get pid() {
      return server.pid();
    },
    async failNext(fault) {
      await sendControl(port, { name: 'fault', fault });
    },
    async clearFaults() {
      await sendControl(port, { name: 'clearFaults' });
    },
    statistics: () => sendControl(port, { name: 'statistics' }),
    kill: () => server.end('SIGKILL'),
    start: () => server.start(),
    pause: () => void process.kill(server.pid(), 'SIGSTOP'),
    resume: () => void process.kill(server.pid(), 'SIGCONT'),
    async close() {
      await server.end('SIGKILL');
      await server.close();
    },
  };
};
