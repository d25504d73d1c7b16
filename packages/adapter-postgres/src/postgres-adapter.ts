import type { StorageAdapter } from '@carnet/adapter-contract';
import { type CommitStore, createCalls, createCommits, createReads } from '@carnet/adapter-contract/sql';
import type pg from 'pg';
import { parseAddress, sharedPool } from './address.ts';
import { prepareCommit } from './commit-values.ts';
import { openConnections } from './connections.ts';
import { changedNothing, isRefusal } from './faults.ts';
import { prepareList, prepareScan, toPage, toScannedPage } from './list.ts';
import { assertFit, pingStatement } from './ping.ts';
import { readRecords } from './read.ts';
import type { Prepared } from './run-on.ts';
import { createSweep } from './sweep.ts';

/** Where the store is: a URL, whose parameters the README lists, or the pool of an app, which stays open. */
export type PostgresStore = { readonly url: string } | { readonly pool: pg.Pool };

export type PostgresAdapterOptions = PostgresStore & {
  /** The clock that expiry is held against, in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
};

/**
 * The storage port on Postgres: one statement to read, one to commit. It connects when it is first asked something.
 *
 * @throws StoreUnfitError when the URL can't be used.
 */
export const openPostgresAdapter = ({ now = Date.now, ...place }: PostgresAdapterOptions): StorageAdapter => {
  const options = 'pool' in place ? sharedPool(place.pool) : parseAddress(place.url);
  const connections = openConnections(options);
  const sweep = createSweep(connections, now);
  const store: CommitStore<Prepared> = {
    prepare: prepareCommit,
    run: connections.run,
    read: (keys, reading) => readRecords(connections, keys, reading),
    isRefusal,
    changedNothing,
  };
  const { timeoutMs, poolSize } = options;
  const settings = { store, now, timeoutMs, poolSize };
  const { read } = createReads(settings);
  const { commit } = createCommits(settings);
  const { run: call, close } = createCalls('Postgres', timeoutMs);

  return {
    capabilities: { atomicCommit: 'all', shared: true, durable: true, neverRevives: true },
    read: (keys) => call((deadline) => read(keys, deadline)),
    commit: (writes) => call((deadline) => commit(writes, deadline)),
    list: (query) =>
      call(async (deadline) =>
        toPage(await connections.run(prepareList(query, now()), { deadline, isRepeatable: true }), query),
      ),
    scan: (query) =>
      call(async (deadline) =>
        toScannedPage(await connections.run(prepareScan(query, now()), { deadline, isRepeatable: true }), query),
      ),
    sweep: (limit) => call((deadline) => sweep(limit, deadline)),
    ping: () =>
      call(async (deadline) =>
        assertFit(await connections.run({ ...pingStatement, values: [] }, { deadline, isRepeatable: true })),
      ),
    async close() {
      await close();
      await connections.close();
    },
  };
};
