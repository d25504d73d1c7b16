import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inNewFolder, type ServerProcess, startServerProcess } from '../server-process.ts';
import { type Fault, type Statistics, sendControl } from './control.ts';
import type { ProcessSettings } from './main.ts';

const program = fileURLToPath(new URL('main.ts', import.meta.url));

export interface DynamoDbOptions {
  /** How long a transaction takes. Meanwhile others of its items are in conflict with it. */
  readonly latencyMs?: number;
}

/** A server of DynamoDB's API for tests, in a process of its own that ends with this one. A start keeps the data. */
export interface DynamoDbServer extends ServerProcess {
  /** `http://127.0.0.1:port`. Credentials of any value are valid. */
  readonly endpoint: string;
  /** The URL of a store in a table that does not exist yet. */
  url(table: string): string;
  /** Has the next calls of an operation fail, before or after they take effect. */
  failNext(fault: Fault): Promise<void>;
  clearFaults(): Promise<void>;
  setLatency(milliseconds: number): Promise<void>;
  statistics(): Promise<Statistics>;
}

const isReady = async (pid: number, port: number): Promise<boolean> => {
  try {
    return (await sendControl(port, { name: 'statistics' }, 2_000)).pid === pid;
  } catch {
    return false;
  }
};

/** Starts the server on 127.0.0.1, with a data file of its own below the system's temporary folder. */
export const startDynamoDb = async ({ latencyMs = 0 }: DynamoDbOptions = {}): Promise<DynamoDbServer> => {
  const settings = (port: number, folder: string): ProcessSettings => ({
    port,
    dataFile: join(folder, 'items.db'),
    latencyMs,
  });
  const server = await inNewFolder('dynamodb', (folder) =>
    startServerProcess({
      name: 'dynamodb',
      command: process.execPath,
      args: (port) => [program, JSON.stringify(settings(port, folder))],
      folder,
      isReady: ({ pid, port }) => isReady(pid, port),
    }),
  );
  const { port } = server;
  const endpoint = `http://127.0.0.1:${port}`;
  return Object.assign(server, {
    endpoint,
    url: (table: string) => `dynamodb://eu-west-1/${table}?endpoint=${endpoint}`,
    failNext: async (fault: Fault) => void (await sendControl(port, { name: 'fault', fault })),
    clearFaults: async () => void (await sendControl(port, { name: 'clearFaults' })),
    setLatency: async (milliseconds: number) => void (await sendControl(port, { name: 'latency', milliseconds })),
    statistics: () => sendControl(port, { name: 'statistics' }),
  });
};
