import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ControlledServer, startControlledServer } from '../controlled-server.ts';
import { type Fault, type Statistics, sendControl } from './control.ts';
import type { ProcessSettings } from './main.ts';

const program = fileURLToPath(new URL('main.ts', import.meta.url));

export interface DynamoDbOptions {
  /** How long a transaction takes. Meanwhile others of its items are in conflict with it. */
  readonly latencyMs?: number;
}

/** A server of DynamoDB's API for tests, in a process of its own that ends with this one. A start keeps the data. */
export interface DynamoDbServer extends ControlledServer<Fault, Statistics> {
  /** `http://127.0.0.1:port`. Credentials of any value are valid. */
  readonly endpoint: string;
  /** The URL of a store in a table that does not exist yet. */
  url(table: string): string;
}

/** Starts the server, with a data file of its own. */
export const startDynamoDb = async ({ latencyMs = 0 }: DynamoDbOptions = {}): Promise<DynamoDbServer> => {
  const settings = (port: number, folder: string): ProcessSettings => ({
    port,
    dataFile: join(folder, 'items.db'),
    latencyMs,
  });
  const server = await startControlledServer({ name: 'dynamodb', program, settings, send: sendControl });
  const { port } = server;
  const endpoint = `http://127.0.0.1:${port}`;
  return Object.assign(server, {
    endpoint,
    url: (table: string) => `dynamodb://eu-west-1/${table}?endpoint=${endpoint}`,
  });
};
