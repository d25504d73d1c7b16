import { mostLeftCounted, type StorageAdapter } from '@carnet/adapter-contract';
import { parseAddress } from './address.ts';
import { commitWrites } from './commit.ts';
import { type Connections, openConnections, type Prepared } from './connections.ts';
import { type Deadline, withDeadline } from './deadline.ts';
import { prepareList, toPage } from './list.ts';
import { assertFit, pingStatement } from './ping.ts';
import { readRecords } from './read.ts';
import { toTimestamp } from './record.ts';
import { sweepStatement } from './statements.ts';

export interface PostgresAdapterOptions {
  /** The README lists its parameters. */
  readonly url: string;
  /** The clock that expiry is held against, in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
}

const housekeeping = (connections: Connections, now: () => number) => {
  const run = (prepared: Prepared, deadline: Deadline) => connections.run(prepared, { deadline, isRepeatable: true });
  return {
    async sweep(limit: number, deadline: Deadline) {
      const values = [toTimestamp(new Date(now())), limit, limit + mostLeftCounted];
      const rows = await run({ ...sweepStatement, values }, deadline);
      const [removed, expired] = rows[0] as readonly [number, number];
      return { removed, left: Math.min(expired - removed, mostLeftCounted) };
    },
    async ping(deadline: Deadline) {
      assertFit(await run({ ...pingStatement, values: [] }, deadline));
    },
    run,
  };
};

/**
 * The storage port on Postgres: one statement to read, one to commit. It connects when it is first asked something.
 *
 * @throws StoreUnfitError when the URL can't be used.
 */
export const openPostgresAdapter = ({ url, now = Date.now }: PostgresAdapterOptions): StorageAdapter => {
  const options = parseAddress(url);
  const connections = openConnections(options);
  const { run, sweep, ping } = housekeeping(connections, now);
  let isClosed = false;
  const call = async <T>(work: (deadline: Deadline) => Promise<T>): Promise<T> => {
    if (isClosed) throw new Error('The Postgres store is closed.');
    return withDeadline(options.timeoutMs, work);
  };

  return {
    capabilities: { atomicCommit: 'all', shared: true, durable: true, neverRevives: true },
    read: (keys) => call((deadline) => readRecords(connections, keys, { now: now(), deadline })),
    commit: (writes) => call((deadline) => commitWrites(connections, writes, { now, deadline })),
    list: (query) => call(async (deadline) => toPage(await run(prepareList(query, now()), deadline), query)),
    sweep: (limit) => call((deadline) => sweep(limit, deadline)),
    ping: () => call(ping),
    close() {
      isClosed = true;
      return connections.close();
    },
  };
};
