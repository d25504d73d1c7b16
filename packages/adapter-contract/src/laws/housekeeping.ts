import { assertHolds, assertSame } from '../kit/law.ts';
import { mostLeftCounted, type StorageAdapter, type Swept } from '../port.ts';
import { assertFound } from './assert.ts';
import { lawsOf } from './law.ts';
import { freshRecords } from './pages.ts';
import {
  claim,
  commit,
  consume,
  freshGrant,
  freshRecord,
  inMilliseconds,
  put,
  putEach,
  reach,
  readEach,
} from './records.ts';

/** Put records and wait until they have expired. */
const putExpired = async (store: StorageAdapter, count: number): Promise<void> => {
  const expiresAt = inMilliseconds(60);
  await putEach(store, freshRecords(count, { kind: 'replay', expiresAt }));
  await reach(expiresAt);
};

const sweepOnce = async (store: StorageAdapter, limit: number): Promise<Swept> => {
  const { removed, left } = await store.sweep(limit);
  const isCount = (count: number, most: number) => Number.isInteger(count) && count >= 0 && count <= most;
  assertHolds(isCount(removed, limit), `A sweep of at most ${limit} says that it removed ${removed}.`);
  assertHolds(isCount(left, mostLeftCounted), `A sweep says that it left ${left}, of at most 10,000 counted.`);
  return { removed, left };
};

/** Sweeps until no record is removed. Returns how many were removed. */
const sweepAll = async (store: StorageAdapter, limit: number): Promise<number> => {
  let total = 0;
  for (let rounds = 0; ; rounds++) {
    const { removed, left } = await sweepOnce(store, limit);
    assertHolds(rounds < 100_000, 'Sweeping came to no end in 100,000 rounds.');
    total += removed;
    if (removed > 0) continue;
    assertSame(left, 0, 'the number left by a sweep that found nothing to remove');
    return total;
  }
};

export const housekeepingLaws = lawsOf({
  'sweep-removes-only-the-expired': {
    says: 'A sweep leaves every live record as it is, one that was given longer before it expired included.',
    async check({ store }) {
      const at = new Date();
      const live = [
        freshRecord(),
        freshRecord({ expiresAt: null }),
        freshRecord({ expiresAt: inMilliseconds(60_000) }),
      ];
      const [used, extended] = [freshRecord(), freshRecord()];
      await putEach(store, [...live, used, { ...extended, expiresAt: inMilliseconds(30) }]);
      await commit(store, consume(used, at));
      await commit(store, put(extended));
      await putExpired(store, 3);
      await sweepAll(store, 500);
      const found = await readEach(store, [...live, extended, used]);
      for (const [index, record] of [...live, extended].entries())
        assertFound(found[index], record, 'a live record after a sweep');
      assertFound(found.at(-1), used, 'a consumed record after a sweep', { consumedAt: at });
    },
  },
  'sweep-stops-at-its-limit': {
    says: 'A sweep removes at most `limit` records.',
    async check({ store }) {
      await putExpired(store, 7);
      for (const limit of [1, 3]) await sweepOnce(store, limit);
    },
  },
  // A store that expires records on its own has none to remove; one that does not has to get through all of them.
  'sweep-counts-what-it-removes': {
    says: 'Repeated sweeps count each expired record once, or none if the store expires them itself.',
    async check({ store }) {
      await sweepAll(store, 500);
      await putExpired(store, 7);
      const total = await sweepAll(store, 3);
      assertHolds(total === 7 || total === 0, `Sweeping 7 expired records to the end counted ${total}.`);
    },
  },
  'sweep-counts-what-is-left': {
    says: 'A sweep says how many expired records it left, or none where the store expires them itself.',
    async check({ store }) {
      await sweepAll(store, 500);
      await putEach(store, [...freshRecords(3, {}), ...freshRecords(3, { expiresAt: null })]);
      await putExpired(store, 7);
      let total = 0;
      for (const limit of [2, 3, 500]) {
        const { removed, left } = await sweepOnce(store, limit);
        total += removed;
        const isConsistent = total + left === 7 || total + left === 0;
        assertHolds(isConsistent, `Of 7 expired records ${total} were removed, and ${left} are said to be left.`);
      }
    },
  },
  'sweep-counts-up-to-ten-thousand': {
    says: 'If more than 10,000 expired records are left, a sweep returns 10,000.',
    async check({ store }) {
      const { record } = freshGrant();
      for (let batch = 0; batch < 21; batch++)
        await commit(store, ...Array.from({ length: 500 }, () => put(record({ expiresAt: new Date(0) }))));
      const { left } = await sweepOnce(store, 1);
      // A store need not keep what is born expired.
      assertSame(
        left,
        Math.min(mostLeftCounted, await sweepAll(store, 1_000)),
        'the number said to be left by a sweep',
      );
    },
  },
  'ping-answers': {
    says: 'Ping resolves while the store is fit for use.',
    async check({ store }) {
      await store.ping();
    },
  },
  'close-ends-it': {
    says: 'After close every call rejects, including an empty one.',
    async check({ open }) {
      const store = await open();
      const record = freshRecord();
      await commit(store, put(record));
      await store.close();
      const calls = {
        read: () => store.read([record]),
        commit: () => store.commit([claim(freshRecord())]),
        list: () => store.list({ kind: 'client', limit: 1 }),
        scan: () => store.scan({ limit: 1 }),
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
  'capabilities-are-declared': {
    says: 'The adapter declares every capability, by a value of the port, and the same for each store it opens.',
    async check({ store, open }) {
      const { atomicCommit, shared, durable, neverRevives } = store.capabilities;
      assertHolds(atomicCommit === 'all' || atomicCommit === 'grant', `atomicCommit is declared as ${atomicCommit}.`);
      const flags = [shared, durable, neverRevives];
      assertSame(
        flags.map((flag) => typeof flag),
        ['boolean', 'boolean', 'boolean'],
        'the types of shared, durable and neverRevives',
      );
      assertHolds(neverRevives || !durable, 'A store is declared durable that may bring back what was removed.');
      const other = await open();
      await other.close();
      assertSame(other.capabilities, store.capabilities, 'the capabilities of another store opened the same way');
    },
  },
});
