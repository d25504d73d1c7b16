import { Client, credentials, type ServiceDefinition } from '@grpc/grpc-js';
import type { ControlCommand } from '../controlled-server.ts';
import type { StatusName } from './refusal.ts';

export type MethodName = 'Lookup' | 'RunQuery' | 'RunAggregationQuery' | 'BeginTransaction' | 'Commit' | 'Rollback';

export interface Fault {
  readonly method: MethodName;
  readonly code: StatusName;
  /** How many calls of the method fail; 1 without it. */
  readonly times?: number | undefined;
  /** Whether the call takes effect, and its answer is lost only. */
  readonly applied?: boolean | undefined;
}

export interface Statistics {
  readonly pid: number;
  /** Requests of each method since the start, refused ones included. */
  readonly calls: Readonly<Record<MethodName, number>>;
}

export type Command = ControlCommand<Fault>;

const path = '/carnet.test.DatastoreControl/Run';
const serialize = (message: object): Buffer => Buffer.from(JSON.stringify(message));
const deserialize = (bytes: Buffer) => JSON.parse(bytes.toString());

/** A service beside the API, with commands of the tests as JSON. */
export const controlDefinition: ServiceDefinition = {
  Run: {
    path,
    requestStream: false,
    responseStream: false,
    requestSerialize: serialize,
    requestDeserialize: deserialize,
    responseSerialize: serialize,
    responseDeserialize: deserialize,
  },
};

/** Runs one command over a connection of its own. */
export const sendControl = async (port: number, command: Command, withinMs = 5_000): Promise<Statistics> => {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  try {
    return await new Promise((resolve, reject) => {
      const deadline = Date.now() + withinMs;
      client.makeUnaryRequest(path, serialize, deserialize, command, { deadline }, (error, answer) => {
        if (answer === undefined) reject(error);
        else resolve(answer as Statistics);
      });
    });
  } finally {
    client.close();
  }
};
