import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ControlledServer, startControlledServer } from '../controlled-server.ts';
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
export interface DatastoreServer extends ControlledServer<Fault, Statistics> {
  /** `127.0.0.1:port`, for `DATASTORE_EMULATOR_HOST` or `apiEndpoint`. */
  readonly host: string;
  readonly projectId: string;
}

const projectId = 'carnet-test';

/** Starts the server, with a data file of its own. */
export const startDatastore = async ({
  latencyMs = 0,
  concurrency = 'pessimistic',
}: DatastoreOptions = {}): Promise<DatastoreServer> => {
  const settings = (port: number, folder: string): ProcessSettings => {
    const dataFile = join(folder, 'entities');
    return { port, projectId, dataFile, latencyMs, concurrency };
  };
  const server = await startControlledServer({ name: 'datastore', program, settings, send: sendControl });
  return Object.assign(server, { host: `127.0.0.1:${server.port}`, projectId });
};
