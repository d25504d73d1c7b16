import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inNewFolder, type ServerProcess, startServerProcess } from '../server-process.ts';
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

/** A server of `google.datastore.v1` for tests, in a process of its own that ends with this one. A start keeps the data. */
export interface DatastoreServer extends ServerProcess {
  /** `127.0.0.1:port`, for `DATASTORE_EMULATOR_HOST` or `apiEndpoint`. */
  readonly host: string;
  readonly projectId: string;
  /** Has the next calls of a method fail, before or after they take effect. */
  failNext(fault: Fault): Promise<void>;
  clearFaults(): Promise<void>;
  statistics(): Promise<Statistics>;
}

const isReady = async (pid: number, port: number): Promise<boolean> => {
  try {
    return (await sendControl(port, { name: 'statistics' }, 2_000)).pid === pid;
  } catch {
    return false;
  }
};

const projectId = 'carnet-test';

/** Starts the server on 127.0.0.1, with a data file of its own below the system's temporary folder. */
export const startDatastore = async ({
  latencyMs = 0,
  concurrency = 'pessimistic',
}: DatastoreOptions = {}): Promise<DatastoreServer> => {
  const settings = (port: number, folder: string): ProcessSettings => {
    const dataFile = join(folder, 'entities');
    return { port, projectId, dataFile, latencyMs, concurrency };
  };
  const server = await inNewFolder('datastore', (folder) =>
    startServerProcess({
      name: 'datastore',
      command: process.execPath,
      args: (port) => [program, JSON.stringify(settings(port, folder))],
      folder,
      isReady: ({ pid, port }) => isReady(pid, port),
    }),
  );
  const { port } = server;
  return Object.assign(server, {
    host: `127.0.0.1:${port}`,
    projectId,
    failNext: async (fault: Fault) => void (await sendControl(port, { name: 'fault', fault })),
    clearFaults: async () => void (await sendControl(port, { name: 'clearFaults' })),
    statistics: () => sendControl(port, { name: 'statistics' }),
  });
};
