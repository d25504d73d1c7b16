import type { StorageAdapter } from '@carnet/adapter-contract';
import type pg from 'pg';
import { parseAddress, sharedPool } from './address.ts';
import { openConnections } from './connections.ts';
import { type Deadline, withDeadline } from './deadline.ts';
import { createCommits } from './gathered-commits.ts';
import { createReads } from './gathered-reads.ts';
import { prepareList, prepareScan, toPage, toScannedPage } from './list.ts';
import { assertFit, pingStatement } from './ping.ts';
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
export const openPostgresAdapter = ({ now = Date.now, ...store }: PostgresAdapterOptions): StorageAdapter => {
  const options = 'pool' in store ? sharedPool(store.pool) : parseAddress(store.url);
  const connections = openConnections(options);
  const sweep = createSweep(connections, now);
  const settings = { connections, now, ...options };
  const { read } = createReads(settings);
  const { commit } = createCommits(settings);
  const ended = Promise.withResolvers<void>();
  let underWay = 0;
  let isClosed = false;
  const call = async <T>(work: (deadline: Deadline) => Promise<T>): Promise<T> => {
    if (isClosed) throw new Error('The Postgres store is closed.');
    underWay += 1;
    try {
      return await withDeadline(options.timeoutMs, work);
    } finally {
      underWay -= 1;
      if (isClosed && underWay === 0) ended.resolve();
    }
  };

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
      isClosed = true;
      if (underWay > 0) await ended.promise;
      await connections.close();
    },
  };
};
