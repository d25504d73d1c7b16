import { Server, ServerCredentials } from '@grpc/grpc-js';
import { commit } from './commit.ts';
import { controlDefinition } from './control.ts';
import { checkKey, idOf } from './entities.ts';
import { createLocks } from './locks.ts';
import {
  type CommitRequest,
  type CountRequest,
  definition,
  type LookupRequest,
  type RunQueryRequest,
} from './protocol.ts';
import { runCount, runQuery } from './queries.ts';
import { refuse } from './refusal.ts';
import { createService } from './service.ts';
import { openStore, type Stored } from './store.ts';
import { type Concurrency, createTransactions } from './transactions.ts';

/** The settings of the process, as JSON in its first argument. */
export interface ProcessSettings {
  readonly port: number;
  readonly projectId: string;
  readonly dataFile: string;
  readonly latencyMs: number;
  readonly concurrency: Concurrency;
}

const maxLockWaitMs = 5_000;
const mostKeys = 1_000;
/** A Lookup defers further keys when its entities have reached this size. */
const mostBytesOfLookup = 1024 * 1024;
/** Above the limit of the API. */
const maxMessageBytes = 64 * 1024 * 1024;

const settings: ProcessSettings = JSON.parse(process.argv[2] ?? '{}');
const store = openStore(settings.dataFile);
const locks = createLocks(maxLockWaitMs);
const transactions = createTransactions({ concurrency: settings.concurrency, locks, store });
const parts = { store, locks, transactions };

const lookup = (request: LookupRequest) => {
  if (request.keys.length > mostKeys) refuse('INVALID_ARGUMENT', `cannot get more than ${mostKeys} keys`);
  const keys = [...new Map(request.keys.map((key) => [idOf(checkKey(key, request)), key]))];
  const { transaction, begun } = transactions.of(request);
  const found: Stored[] = [];
  let bytes = 0;
  let read = 0;
  // At least one, so that the client gets on.
  for (; read < keys.length && bytes < mostBytesOfLookup; read += 1) {
    const [id] = keys[read] as (typeof keys)[number];
    if (transaction) transactions.remember(id, transaction);
    const stored = store.read(id);
    bytes += stored?.bytes ?? 0;
    if (stored) found.push(stored);
  }
  return {
    found: found.map(({ entity }) => ({ entity })),
    deferred: keys.slice(read).map(([, key]) => key),
    ...(begun && { transaction: begun }),
  };
};

const service = createService(
  {
    Lookup: lookup,
    RunQuery: (request: RunQueryRequest) => runQuery(request, parts),
    RunAggregationQuery: (request: CountRequest) => runCount(request, parts),
    BeginTransaction: () => ({ transaction: transactions.begin().id }),
    Commit: (request: CommitRequest) => commit(request, parts),
    Rollback({ transaction }: { readonly transaction: Buffer }) {
      transactions.end(transactions.find(transaction));
      return {};
    },
  },
  settings,
);
const server = new Server({
  'grpc.max_receive_message_length': maxMessageBytes,
  'grpc.max_send_message_length': -1,
});
server.addService(definition, service.api);
server.addService(controlDefinition, service.control);
server.bindAsync(`127.0.0.1:${settings.port}`, ServerCredentials.createInsecure(), (error) => {
  if (!error) return;
  // The launcher looks for these words, and takes another port.
  console.error(`The address is in use or refused: ${error.message}`);
  process.exit(1);
});
