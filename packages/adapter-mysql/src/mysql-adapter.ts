import type { StorageAdapter } from '@carnet/adapter-contract';
import { type CommitStore, createCalls, createCommits, createReads, type Deadline } from '@carnet/adapter-contract/sql';
import type { Pool } from 'mysql2/promise';
import { parseAddress, sharedPool } from './address.ts';
import { prepareCommit } from './commit-statements.ts';
import { openConnections } from './connections.ts';
import { changedNothing, isRefusal } from './faults.ts';
import { prepareList, prepareScan, toPage, toScannedPage } from './list.ts';
import { assertFit, pingBatch } from './ping.ts';
import { readRecords } from './read.ts';
import type { Batch } from './run-on.ts';
import { sweepExpired } from './sweep.ts';

/** Where the store is: a URL, whose parameters the README lists, or the pool of an app, which stays open. */
export type MysqlStore = { readonly url: string } | { readonly pool: Pool };

export type MysqlAdapterOptions = MysqlStore & {
  /** The clock that expiry is held against, in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
};

/**
 * The storage port on MariaDB and MySQL: one round trip to read, one to commit. It connects at the first call.
 *
 * @throws StoreUnfitError when the URL can't be used.
 */
export const openMysqlAdapter = ({ now = Date.now, ...place }: MysqlAdapterOptions): StorageAdapter => {
  const options = 'pool' in place ? sharedPool(place.pool) : parseAddress(place.url);
  const connections = openConnections(options);
  const { timeoutMs, poolSize } = options;
  const store: CommitStore<Batch> = {
    prepare: prepareCommit,
    run: connections.run,
    read: (keys, reading) => readRecords(connections, keys, reading),
    isRefusal,
    changedNothing,
  };
  const settings = { store, now, timeoutMs, poolSize };
  const { read } = createReads(settings);
  const { commit } = createCommits(settings);
  const { run: call, close } = createCalls('MySQL', timeoutMs);
  const ask = (batch: Batch, deadline: Deadline) => connections.run(batch, { deadline, isRepeatable: true });

  return {
    capabilities: { atomicCommit: 'all', shared: true, durable: true, neverRevives: true },
    read: (keys) => call((deadline) => read(keys, deadline)),
    commit: (writes) => call((deadline) => commit(writes, deadline)),
    list: (query) => call(async (deadline) => toPage((await ask(prepareList(query, now()), deadline))[0], query)),
    scan: (query) =>
      call(async (deadline) => toScannedPage((await ask(prepareScan(query, now()), deadline))[0], query)),
    sweep: (limit) => call((deadline) => sweepExpired(connections, limit, { now: now(), deadline })),
    ping: () => call(async (deadline) => assertFit(await ask(pingBatch, deadline))),
    async close() {
      await close();
      await connections.close();
    },
  };
};
