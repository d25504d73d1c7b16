import { Server, ServerCredentials } from '@grpc/grpc-js';
import { createIdAllocator } from './allocate-ids.ts';
import { commit } from './commit.ts';
import type { CompositeIndex } from './composite-indexes.ts';
import { controlDefinition } from './control.ts';
import { openJournal } from './journal.ts';
import { createLocks } from './locks.ts';
import { lookup } from './lookup.ts';
import { type CommitRequest, definition, type LookupRequest, type TransactionOptions } from './protocol.ts';
import { runAggregationQuery } from './run-aggregation.ts';
import { runQuery } from './run-query.ts';
import { createService } from './service.ts';
import { createShapeIndexes } from './shape-index.ts';
import { createStore } from './store.ts';
import { type Concurrency, createTransactions, type Transactions } from './transactions.ts';

/** The settings of the process, as JSON in its first argument. */
export interface ProcessSettings {
  readonly port: number;
  readonly projectId: string;
  readonly databases: readonly string[];
  readonly dataFile: string;
  readonly latencyMs: number;
  readonly compositeIndexes: readonly CompositeIndex[];
  readonly concurrency: Concurrency;
  readonly maxTransactionSeconds?: number | undefined;
  readonly maxIdleSeconds?: number | undefined;
  readonly maxLockWaitMs: number;
  readonly maxLookupBytes: number;
  readonly maxBatchEntities: number;
  /** No limit without it. */
  readonly maxMutations?: number | undefined;
}

/** Above the limit of the API, which has its own answer to larger requests. */
const maxMessageBytes = 64 * 1024 * 1024;

const openDatabase = (settings: ProcessSettings) => {
  const locks = createLocks(settings.maxLockWaitMs);
  const transactions: Transactions = createTransactions({
    options: {
      concurrency: settings.concurrency,
      maxSeconds: settings.maxTransactionSeconds,
      maxIdleSeconds: settings.maxIdleSeconds,
    },
    locks,
    nextVersion: () => store.nextVersion(),
  });
  const store = createStore(transactions.oldestSnapshot);
  const journal = openJournal(settings.dataFile, (changes, version) => void store.apply(changes, version));
  return { store, locks, transactions, journal };
};

const createMethods = (
  settings: ProcessSettings,
  { store, locks, transactions, journal }: ReturnType<typeof openDatabase>,
) => {
  const ids = createIdAllocator(store);
  const queries = {
    store,
    transactions,
    indexes: createShapeIndexes(store),
    compositeIndexes: settings.compositeIndexes,
    maxBatchEntities: settings.maxBatchEntities,
  };
  const commits = {
    store,
    locks,
    transactions,
    isTaken: ids.isTaken,
    record: journal.append,
    maxMutations: settings.maxMutations ?? Infinity,
  };
  return {
    Lookup: (request: LookupRequest) =>
      lookup(request, { store, locks, transactions, maxLookupBytes: settings.maxLookupBytes }),
    RunQuery: (request: Parameters<typeof runQuery>[0]) => runQuery(request, queries),
    RunAggregationQuery: (request: Parameters<typeof runAggregationQuery>[0]) => runAggregationQuery(request, queries),
    BeginTransaction: ({ transactionOptions }: { readonly transactionOptions: TransactionOptions | null }) => ({
      transaction: transactions.begin(transactionOptions).id,
    }),
    Commit: (request: CommitRequest) => commit(request, commits),
    Rollback({ transaction }: { readonly transaction: Buffer }) {
      transactions.end(transactions.find(transaction));
      return {};
    },
    AllocateIds: ids.allocateIds,
    ReserveIds: ids.reserveIds,
  };
};

const settings: ProcessSettings = JSON.parse(process.argv[2] ?? '{}');
const database = openDatabase(settings);
const { projectId, databases, latencyMs } = settings;
const service = createService(createMethods(settings, database), {
  projectId,
  databases,
  latencyMs,
  countEntities: database.store.count,
});
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
