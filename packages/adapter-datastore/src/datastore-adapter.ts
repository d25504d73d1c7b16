import type { StorageAdapter } from '@carnet/adapter-contract';
import { deadlineIn } from '@carnet/adapter-contract/kit';
import { parseAddress } from './address.ts';
import type { CallContext } from './call-context.ts';
import { commitWrites } from './commit.ts';
import { openConnection } from './connection.ts';
import { forEmulator } from './emulator.ts';
import { createKeys } from './keys.ts';
import { listPage } from './list.ts';
import { readRecords } from './read.ts';
import { scanPage } from './scan.ts';
import { sweepExpired } from './sweep.ts';
import { createRevocations, createTurns } from './turns.ts';

export interface DatastoreAdapterOptions {
  /** `datastore:<project>[/<database>]`, whose parameters the README lists. */
  readonly url: string;
  /** The clock that expiry is held against, in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
}

/** The key of a record that never exists. Its Lookup shows that the database answers, and that the account may read it. */
const probe = { kind: 'counter', id: 'ping' } as const;

/**
 * The storage port on Cloud Datastore (Firestore in Datastore mode). It connects when it is first asked something.
 *
 * @throws StoreUnfitError if the URL is not valid
 */
export const openDatastoreAdapter = ({ url, now = Date.now }: DatastoreAdapterOptions): StorageAdapter => {
  const address = parseAddress(url);
  const connection = process.env.DATASTORE_EMULATOR_HOST
    ? forEmulator(openConnection(address))
    : openConnection(address);
  const keys = createKeys(address);
  const isSwept = address.expiry === 'sweep';
  const [inTurn, joinRevocation] = [createTurns(), createRevocations()];
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;

  const call = async <T>(run: (context: CallContext) => Promise<T>): Promise<T> => {
    if (isClosed) throw new Error('The Datastore store is closed.');
    const running = run({
      connection,
      keys,
      now,
      deadline: deadlineIn(address.timeoutMs),
      isSwept,
      inTurn,
      joinRevocation,
    });
    underWay.add(running);
    try {
      return await running;
    } finally {
      underWay.delete(running);
    }
  };

  return {
    // A commit is one transaction over any number of entities. Google acknowledges it when a quorum of replicas has it.
    capabilities: { atomicCommit: 'all', shared: true, durable: true, neverRevives: true },
    read: (recordKeys) => call((context) => readRecords(recordKeys, context)),
    commit: (writes) => call((context) => commitWrites(writes, context)),
    list: (query) => call((context) => listPage(query, context)),
    scan: (query) => call((context) => scanPage(query, context)),
    sweep: (limit) => call(async (context) => (isSwept ? sweepExpired(limit, context) : { removed: 0, left: 0 })),
    ping: () => call(async (context) => void (await readRecords([probe], context))),
    async close() {
      isClosed = true;
      await Promise.allSettled(underWay);
      await connection.close();
    },
  };
};
