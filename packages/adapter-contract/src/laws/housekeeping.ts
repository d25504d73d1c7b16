import type { StorageAdapter } from '../port.ts';
import { assertFound, assertHolds, assertSame } from './assert.ts';
import type { Law } from './law.ts';
import { claim, commit, consume, freshRecord, inMilliseconds, put, putEach, reach, readEach } from './records.ts';

/** Put records and wait until they have expired. */
const putExpired = async (store: StorageAdapter, count: number): Promise<void> => {
  const expiresAt = inMilliseconds(60);
  await putEach(
    store,
    Array.from({ length: count }, () => freshRecord({ kind: 'replay', expiresAt })),
  );
  await reach(expiresAt);
};

/** Sweep until there is nothing left; answers how many went. */
const sweepAll = async (store: StorageAdapter, limit: number): Promise<number> => {
  let total = 0;
  for (let rounds = 0; ; rounds++) {
    const swept = await store.sweep(limit);
    assertHolds(
      Number.isInteger(swept) && swept >= 0 && swept <= limit,
      `A sweep of at most ${limit} answered ${swept}.`,
    );
    assertHolds(rounds < 100_000, 'Sweeping came to no end in 100,000 rounds.');
    if (swept === 0) return total;
    total += swept;
  }
};

export const housekeepingLaws: readonly Law[] = [
  {
    name: 'sweep-removes-only-the-expired',
    says: 'A sweep leaves every live record as it is.',
    async check({ store }) {
      const at = new Date();
      const live = [
        freshRecord(),
        freshRecord({ expiresAt: null }),
        freshRecord({ expiresAt: inMilliseconds(60_000) }),
      ];
      const used = freshRecord();
      await putEach(store, [...live, used]);
      await commit(store, consume(used, at));
      await putExpired(store, 3);
      await sweepAll(store, 500);
      const found = await readEach(store, [...live, used]);
      for (const [index, record] of live.entries()) assertFound(found[index], record, 'a live record after a sweep');
      assertFound(found[3], used, 'a consumed record after a sweep', { consumedAt: at });
    },
  },
  {
    name: 'sweep-stops-at-its-limit',
    says: 'A sweep removes at most `limit` records.',
    async check({ store }) {
      await putExpired(store, 7);
      for (const limit of [1, 3]) {
        const swept = await store.sweep(limit);
        assertHolds(swept <= limit, `A sweep of at most ${limit} answered ${swept}.`);
      }
    },
  },
  {
    // A store that expires records on its own has none to remove; one that does not has to get through all of them.
    name: 'sweep-counts-what-it-removes',
    says: 'Sweeps until 0 count each expired record once, or none where the store expires them on its own.',
    async check({ store }) {
      await sweepAll(store, 500);
      await putExpired(store, 7);
      const total = await sweepAll(store, 3);
      assertHolds(total === 7 || total === 0, `Sweeping 7 expired records to the end counted ${total}.`);
    },
  },
  {
    name: 'ping-answers',
    says: 'Ping resolves while the store is fit for use.',
    async check({ store }) {
      await store.ping();
    },
  },
  {
    name: 'close-ends-it',
    says: 'After close every call rejects, one that would have nothing to do included.',
    async check({ open }) {
      const store = await open();
      const record = freshRecord();
      await commit(store, put(record));
      await store.close();
      const calls = {
        read: () => store.read([record]),
        commit: () => store.commit([claim(freshRecord())]),
        list: () => store.list({ kind: 'client', limit: 1 }),
        sweep: () => store.sweep(1),
        ping: () => store.ping(),
      };
      for (const [name, call] of Object.entries(calls)) {
        const outcome = await call().then(
          () => 'resolved',
          () => 'rejected',
        );
        assertSame(outcome, 'rejected', `${name} after close`);
      }
    },
  },
  {
    name: 'capabilities-are-declared',
    says: 'The adapter declares every capability, by a value of the port, and the same for each store it opens.',
    async check({ store, open }) {
      const { atomicCommit, shared, durable } = store.capabilities;
      assertHolds(atomicCommit === 'all' || atomicCommit === 'grant', `atomicCommit is declared as ${atomicCommit}.`);
      assertSame([typeof shared, typeof durable], ['boolean', 'boolean'], 'the types of shared and durable');
      const other = await open();
      await other.close();
      assertSame(other.capabilities, store.capabilities, 'the capabilities of another store opened the same way');
    },
  },
];
