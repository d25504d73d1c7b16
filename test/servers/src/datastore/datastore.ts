import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { type ServerProcess, startServerProcess } from '../server-process.ts';
import type { CompositeIndex } from './composite-indexes.ts';
import { type Fault, type Statistics, sendControl } from './control.ts';
import type { ProcessSettings } from './main.ts';
import type { Concurrency } from './transactions.ts';

const program = fileURLToPath(new URL('main.ts', import.meta.url));

export interface DatastoreOptions {
  readonly projectId?: string | undefined;
  /** The databases that exist; the default one, which is the empty string, without this. */
  readonly databases?: readonly string[] | undefined;
  /** The delay of each call, half of it before and half of it after the server's work. */
  readonly latencyMs?: number | undefined;
  /** An index.yaml with composite indexes. Without it there are the built-in indexes only. */
  readonly indexFile?: string | undefined;
  /** `pessimistic` without it, as Firestore in Datastore mode. */
  readonly concurrency?: Concurrency | undefined;
  readonly maxTransactionSeconds?: number | undefined;
  readonly maxIdleSeconds?: number | undefined;
  /** How long a commit waits for locks of other transactions before it is ABORTED; 5 s without it. */
  readonly maxLockWaitMs?: number | undefined;
  /** A Lookup defers keys when its entities reach this size; 1 MiB without it. */
  readonly maxLookupBytes?: number | undefined;
  /** The most entities in one answer of RunQuery; 300 without it. */
  readonly maxBatchEntities?: number | undefined;
  /** 500 for what Cloud Datastore had; Firestore in Datastore mode has no such limit. */
  readonly maxMutations?: number | undefined;
}

/** A server of `google.datastore.v1` for tests, in a process of its own that ends with this one. */
export interface DatastoreServer {
  /** `127.0.0.1:port`, for `DATASTORE_EMULATOR_HOST` or `apiEndpoint`. */
  readonly host: string;
  readonly port: number;
  readonly projectId: string;
  /** Throws while the server is down. */
  readonly pid: number;
  /** Stays in effect over a restart. */
  setLatency(ms: number): Promise<void>;
  /** Has the next calls of a method fail, before or after they take effect. */
  failNext(fault: Fault): Promise<void>;
  clearFaults(): Promise<void>;
  statistics(): Promise<Statistics>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Same port, same data; running transactions are gone. */
  start(): Promise<void>;
  /** Same port, no data. Only of a server that was killed. */
  startEmpty(): Promise<void>;
  /** SIGSTOP: connections stay open, but no call is answered. `kill` and `close` need no `resume`. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

const readIndexes = (file: string | undefined): readonly CompositeIndex[] => {
  if (file === undefined) return [];
  const indexes: { ancestor?: boolean | 'yes' | 'no' }[] = parse(readFileSync(file, 'utf8')).indexes ?? [];
  return indexes.map(
    (index) => ({ ...index, ancestor: index.ancestor === true || index.ancestor === 'yes' }) as CompositeIndex,
  );
};

const isReady = async (pid: number, port: number): Promise<boolean> => {
  try {
    return (await sendControl(port, { name: 'statistics' }, 2_000)).pid === pid;
  } catch {
    return false;
  }
};

type Settings = Omit<ProcessSettings, 'port' | 'latencyMs'>;

const readSettings = (options: DatastoreOptions, dataFile: string): Settings => ({
  projectId: options.projectId ?? 'carnet-test',
  databases: options.databases ?? [''],
  dataFile,
  compositeIndexes: readIndexes(options.indexFile),
  concurrency: options.concurrency ?? 'pessimistic',
  maxTransactionSeconds: options.maxTransactionSeconds,
  maxIdleSeconds: options.maxIdleSeconds,
  maxLockWaitMs: options.maxLockWaitMs ?? 5_000,
  maxLookupBytes: options.maxLookupBytes ?? 1024 * 1024,
  maxBatchEntities: options.maxBatchEntities ?? 300,
  maxMutations: options.maxMutations,
});

const openServer = (
  {
    settings,
    server,
    dataFile,
  }: { readonly settings: Settings; readonly server: ServerProcess; readonly dataFile: string },
  latency: { ms: number },
): DatastoreServer => {
  const { port } = server;
  const kill = () => server.end('SIGKILL');
  return {
    host: `127.0.0.1:${port}`,
    port,
    projectId: settings.projectId,
    get pid() {
      return server.pid();
    },
    async setLatency(ms) {
      latency.ms = ms;
      await sendControl(port, { name: 'latency', ms });
    },
    async failNext(fault) {
      await sendControl(port, { name: 'fault', fault });
    },
    async clearFaults() {
      await sendControl(port, { name: 'clearFaults' });
    },
    statistics: () => sendControl(port, { name: 'statistics' }),
    kill,
    start: () => server.start(),
    async startEmpty() {
      if (server.isRunning()) throw new Error('The Datastore is running: kill it before it is started empty.');
      rmSync(dataFile, { force: true });
      await server.start();
    },
    pause: () => void process.kill(server.pid(), 'SIGSTOP'),
    resume: () => void process.kill(server.pid(), 'SIGCONT'),
    async close() {
      await kill();
      await server.close();
    },
  };
};

/** Starts the server on 127.0.0.1, with a data file of its own below the system's temporary folder. */
export const startDatastore = async (options: DatastoreOptions = {}): Promise<DatastoreServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-datastore-'));
  const dataFile = join(folder, 'journal');
  const latency = { ms: options.latencyMs ?? 0 };
  try {
    const settings = readSettings(options, dataFile);
    const server = await startServerProcess({
      name: 'datastore',
      command: process.execPath,
      args: (port) => [program, JSON.stringify({ ...settings, port, latencyMs: latency.ms })],
      folder,
      isReady: ({ pid, port }) => isReady(pid, port),
      killSignal: 'SIGKILL',
    });
    return openServer({ settings, server, dataFile }, latency);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
};
