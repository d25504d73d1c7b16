import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, controlPath, type Fault } from './control.ts';
import { batchGet, type QueryInput, query, scan } from './reads.ts';
import { Refusal } from './refusal.ts';
import { openStore, type TableInput } from './store.ts';
import {
  actionsIn,
  cancelForConflict,
  carryOutAll,
  carryOutOne,
  checkTransaction,
  type ItemAction,
  placeOf,
  type TransactItem,
} from './transactions.ts';
import { sizeOf } from './values.ts';

/** The settings of the process, as JSON in its first argument. */
export interface ProcessSettings {
  readonly port: number;
  readonly dataFile: string;
  readonly latencyMs: number;
}

const settings: ProcessSettings = JSON.parse(process.argv[2] ?? '{}');
const store = openStore(settings.dataFile);
const units = { writeUnits: 0, readUnits: 0 };
const calls: Record<string, number> = {};
const tokens = new Map<string, { readonly body: string; isDone: boolean }>();
const locked = new Set<string>();
const { latencyMs } = settings;
let lastPut: readonly number[] = [];
let faults: (Fault & { left: number })[] = [];

interface Transaction {
  readonly TransactItems: readonly TransactItem[];
  readonly ClientRequestToken?: string;
}

/** Whether a token was carried out. It is remembered until the end of the process, and not for ten minutes only. */
const begin = (token: string, body: string): boolean => {
  const known = tokens.get(token);
  if (known && known.body !== body) throw new Refusal('IdempotentParameterMismatchException', 'Other parameters');
  if (known && !known.isDone) throw new Refusal('TransactionInProgressException', 'In progress');
  return known !== undefined;
};

const transactWrite = async ({ TransactItems, ClientRequestToken: token = '' }: Transaction) => {
  const entries = actionsIn(TransactItems);
  checkTransaction(entries, store);
  const body = JSON.stringify(TransactItems);
  if (begin(token, body)) return {};
  const places = entries.map(([, action]) => placeOf(action));
  if (places.some((place) => locked.has(place))) cancelForConflict(places.length);
  const state = { body, isDone: false };
  tokens.set(token, state);
  for (const place of places) locked.add(place);
  try {
    if (latencyMs > 0) await pause(latencyMs);
    carryOutAll(entries, store, units);
    state.isDone = true;
    lastPut = entries.flatMap(([kind, { Item: item }]) => (kind === 'Put' && item ? [sizeOf(item)] : []));
    return {};
  } finally {
    if (!state.isDone) tokens.delete(token);
    for (const place of places) locked.delete(place);
  }
};

const writeOne = (kind: 'Put' | 'Delete', action: ItemAction) => {
  if (locked.has(placeOf(action))) throw new Refusal('TransactionConflictException', 'Transaction is ongoing');
  carryOutOne(kind, action, store, units);
  return {};
};

const describe = (name: string) => {
  const { createdAt, input } = store.table(name);
  const GlobalSecondaryIndexes = input.GlobalSecondaryIndexes?.map((index) => ({ ...index, IndexStatus: 'ACTIVE' }));
  return { Table: { ...input, GlobalSecondaryIndexes, TableStatus: 'ACTIVE', CreationDateTime: createdAt } };
};

const operations: Readonly<Record<string, (input: never) => object | Promise<object>>> = {
  TransactWriteItems: transactWrite,
  BatchGetItem: (input: Parameters<typeof batchGet>[0]) => batchGet(input, store, units),
  Query: (input: QueryInput) => query(input, store, units),
  Scan: (input: QueryInput) => scan(input, store, units),
  PutItem: (input: ItemAction) => writeOne('Put', input),
  DeleteItem: (input: ItemAction) => writeOne('Delete', input),
  DescribeTable: ({ TableName }: TableInput) => describe(TableName),
  CreateTable(input: TableInput) {
    store.createTable(input);
    return {};
  },
  DeleteTable({ TableName }: TableInput) {
    store.table(TableName);
    store.deleteTable(TableName);
    return {};
  },
  DescribeTimeToLive({ TableName }: TableInput) {
    const { ttl } = store.table(TableName);
    return { TimeToLiveDescription: { TimeToLiveStatus: ttl === undefined ? 'DISABLED' : 'ENABLED' } };
  },
  UpdateTimeToLive(input: {
    readonly TableName: string;
    readonly TimeToLiveSpecification: { readonly AttributeName: string };
  }) {
    store.setTtl(input.TableName, input.TimeToLiveSpecification.AttributeName);
    return {};
  },
};

const run = async (operation: string, input: { readonly ReturnConsumedCapacity?: string }): Promise<object> => {
  const perform = operations[operation];
  if (perform === undefined) throw new Refusal('UnknownOperationException', `Not implemented: ${operation}`);
  const before = units.readUnits + units.writeUnits;
  const answer = await perform(input as never);
  if (input.ReturnConsumedCapacity !== 'TOTAL') return answer;
  // Right as long as one request is under way, as in the tests that count.
  const consumed = { CapacityUnits: units.readUnits + units.writeUnits - before };
  return { ...answer, ConsumedCapacity: /^(?:Batch|Transact)/.test(operation) ? [consumed] : consumed };
};

const takeFault = (operation: string): Fault | undefined => {
  const fault = faults.find((each) => each.operation === operation && each.left > 0);
  if (fault) fault.left -= 1;
  return fault;
};

const failWith = ({ type, status = 400, reason }: Fault, count: number): never => {
  const reasons = Array.from({ length: count }, () => ({ Code: reason }));
  throw new Refusal(type, 'As the test has it.', { status, ...(reason && { CancellationReasons: reasons }) });
};

const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const operation = `${request.headers['x-amz-target']}`.replace('DynamoDB_20120810.', '');
  calls[operation] = (calls[operation] ?? 0) + 1;
  const input = JSON.parse(await text(request));
  const fault = takeFault(operation);
  const answer = (status: number, body: object) => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': 'TEST' });
    response.end(JSON.stringify(body));
  };
  try {
    if (!/^AWS4-HMAC-SHA256 Credential=/.test(request.headers.authorization ?? ''))
      throw new Refusal('MissingAuthenticationTokenException', 'Request must contain a signature');
    if (fault?.applied) await run(operation, input);
    if (fault?.type === 'none') return void response.destroy();
    if (fault) failWith(fault, input.TransactItems?.length ?? 0);
    answer(200, await run(operation, input));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const __type = `com.amazonaws.dynamodb.v20120810#${error.type}`;
    const { more, status, message } = error;
    answer(status, { __type, message, ...more });
  }
};

const control = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const command: Command = JSON.parse(await text(request));
  if (command.name === 'fault') faults.push({ ...command.fault, left: command.fault.times ?? 1 });
  if (command.name === 'clearFaults') faults = [];
  response.end(JSON.stringify({ pid: process.pid, calls, ...units, lastPut }));
};

const server = createServer((request, response) => {
  const handle = request.url === controlPath ? control : serve;
  handle(request, response).catch((error: unknown) => {
    console.error(error);
    response.writeHead(500).end('{}');
  });
});
server.keepAliveTimeout = 60_000;
server.on('error', (error) => {
  // The launcher looks for these words, and takes another port.
  console.error(`The address is in use or refused: ${error.message}`);
  process.exit(1);
});
server.listen(settings.port, '127.0.0.1');
