import type { FoundRecord, RecordKey, StorageAdapter } from '@carnet/adapter-contract';
import { deadlineIn } from '@carnet/adapter-contract/kit';
import { addressOf, type RedisStore } from './client-address.ts';
import { type CommitContext, commitAtOnce, commitInParts } from './commit.ts';
import { createKnown } from './fitness.ts';
import { createKeyLayout } from './keys.ts';
import { listPage } from './list.ts';
import { openServer } from './open-server.ts';
import { parseRecord } from './record.ts';
import { scanPage } from './scan.ts';

export type RedisAdapterOptions = RedisStore & {
  /** The clock, in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
};

const readRecords = async (
  recordKeys: readonly RecordKey[],
  { server, keys, now, deadline }: CommitContext,
): Promise<readonly (FoundRecord | undefined)[]> => {
  if (recordKeys.length === 0) return [];
  const hashes = await server.hashes(recordKeys.map(keys.record), deadline);
  return recordKeys.map((key, i) => parseRecord(key, hashes[i] ?? [], now)?.record);
};

/** The remedies for missing capabilities. */
const remedies = {
  single:
    'Set appendonly to yes, appendfsync to always and no-appendfsync-on-rewrite to no, and allow the user of the URL to read these settings.',
  replicated:
    'Redis with replicas may always lose records. To keep removed records from coming back, set appendonly to yes on every node, and the parameter replicas of the URL to the number of replicas of a master.',
} as const;

/**
 * The storage port on Redis, Redis with Sentinels, or Redis Cluster.
 *
 * @throws StoreUnfitError when the URL or the server can't be used.
 */
export const openRedisAdapter = async ({ now = Date.now, ...store }: RedisAdapterOptions): Promise<StorageAdapter> => {
  const address = await addressOf(store);
  const keys = createKeyLayout(address.prefix);
  const known = createKnown();
  const server = openServer(address, keys, known);
  const awaitedServer = openServer(address, keys, known);
  const calls = new Set<Promise<unknown>>();
  let closed = false;

  const call = async <T>(run: (context: CommitContext) => Promise<T>): Promise<T> => {
    if (closed) throw new Error('The Redis store is closed.');
    const deadline = deadlineIn(address.timeoutMilliseconds);
    const running = run({ server, awaitedServer, replicas: address.replicas, keys, now: now(), deadline });
    calls.add(running);
    try {
      return await running;
    } finally {
      calls.delete(running);
    }
  };
  const check = () => call(({ deadline }) => server.check(deadline));
  /** Calls are answered in their order. */
  const close = async () => {
    closed = true;
    await Promise.allSettled(calls);
    await Promise.all([server.close(), awaitedServer.close()]);
  };

  try {
    await check();
  } catch (error) {
    await close();
    throw error;
  }

  const isCluster = address.mode === 'cluster';
  known.isDeclared = true;
  const { durable, neverRevives } = known.promises;
  return {
    capabilities: {
      atomicCommit: isCluster ? 'grant' : 'all',
      shared: true,
      durable,
      neverRevives,
      remedy: durable ? undefined : remedies[address.mode === 'single' ? 'single' : 'replicated'],
    },
    read: (recordKeys) => call((context) => readRecords(recordKeys, context)),
    commit: (writes) =>
      call(async (context) => {
        if (writes.length === 0) return undefined;
        return isCluster ? commitInParts(writes, context) : commitAtOnce(writes, known.marker, context);
      }),
    list: (query) => call((context) => listPage(query, context)),
    scan: (query) => call((context) => scanPage(query, context)),
    // Redis expires records on its own.
    sweep: () => call(async () => ({ removed: 0, left: 0 })),
    ping: check,
    close,
  };
};
