import type { StorageAdapter } from '@carnet/adapter-contract';
import { deadlineIn } from '@carnet/adapter-contract/kit';
import { parseAddress } from './address.ts';
import type { CallContext } from './call-context.ts';
import { commitWrites } from './commit.ts';
import { type ConnectionOptions, openConnection } from './connection.ts';
import { createReads } from './gathered-reads.ts';
import { listPage } from './list.ts';
import { readRecords } from './read.ts';
import { scanPage } from './scan.ts';
import { sweepExpired } from './sweep.ts';

export interface DynamoDbAdapterOptions extends Pick<ConnectionOptions, 'onConsumed'> {
  /** `dynamodb://<region>/<table>`, whose parameters the README lists. */
  readonly url: string;
  /** The clock that expiry is held against, in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
}

/** The key of a record that never exists. Its read shows that the table answers, and that the credentials may read it. */
const probe = { kind: 'counter', id: 'ping' } as const;

/** How long work in the background may take. */
const laterMs = 30_000;

/**
 * The storage port on Amazon DynamoDB. It connects when it is first called.
 *
 * @throws StoreUnfitError if the URL is not valid
 */
export const openDynamoDbAdapter = ({ url, now = Date.now, onConsumed }: DynamoDbAdapterOptions): StorageAdapter => {
  const { table, timeoutMs, expiry, ...rest } = parseAddress(url);
  const connection = openConnection({ ...rest, onConsumed });
  const read = createReads();
  const isSwept = expiry === 'sweep';
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;

  const track = async <T>(running: Promise<T>): Promise<T> => {
    underWay.add(running);
    try {
      return await running;
    } finally {
      underWay.delete(running);
    }
  };

  const contextFor = (milliseconds: number): CallContext => ({
    connection,
    table,
    now,
    deadline: deadlineIn(milliseconds),
    isSwept,
    later: (work) => void track(work(contextFor(laterMs))).catch(() => {}),
  });

  const call = async <T>(run: (context: CallContext) => Promise<T>): Promise<T> => {
    if (isClosed) throw new Error('The DynamoDB store is closed.');
    return track(run(contextFor(timeoutMs)));
  };

  return {
    // A commit is one transaction. DynamoDB acknowledges it when two of three availability zones have it.
    capabilities: { atomicCommit: 'all', shared: true, durable: true, neverRevives: true },
    read: (keys) => call((context) => read(keys, context)),
    commit: (writes) => call((context) => commitWrites(writes, context)),
    list: (listed) => call((context) => listPage(listed, context)),
    scan: (scanned) => call((context) => scanPage(scanned, context)),
    sweep: (limit) => call(async (context) => (isSwept ? sweepExpired(limit, context) : { removed: 0, left: 0 })),
    ping: () => call(async (context) => void (await readRecords([probe], context))),
    async close() {
      isClosed = true;
      while (underWay.size > 0) await Promise.allSettled(underWay);
      await connection.close();
    },
  };
};
