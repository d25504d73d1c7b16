import { setImmediate as nextTurn } from 'node:timers/promises';
import { assertHolds, assertSame } from '../kit/law.ts';
import type { Conflict, StorageAdapter, StoredRecord, Write } from '../port.ts';
import { assertAbsent, assertCommitted, assertConflict, assertFound } from './assert.ts';
import { lawsOf } from './law.ts';
import {
  assertEachAbsent,
  claim,
  commit,
  consume,
  freshRecord,
  inMilliseconds,
  merge,
  put,
  putEach,
  reach,
  readEach,
  readOne,
  replace,
} from './records.ts';

/** Long enough to prepare a record that is about to expire, short enough to wait for. */
const soon = (): Date => inMilliseconds(120);

/** Read once, and hold each answer against the clock: only what it says before and after the read counts. */
const checkBoundary = async (store: StorageAdapter, records: readonly StoredRecord[]) => {
  const before = Date.now();
  const found = await readEach(store, records);
  const after = Date.now();
  const seen = { before: false, at: false };
  for (const [index, { expiresAt }] of records.entries()) {
    const left = (expiresAt?.getTime() ?? 0) - after;
    const past = before - (expiresAt?.getTime() ?? 0);
    if (past >= 0) assertAbsent(found[index], `a record read ${past} ms after its instant of expiry`);
    if (left > 0) assertHolds(found[index] !== undefined, `A record was absent ${left} ms before its expiry.`);
    seen.before ||= left > 0 && left <= 5;
    seen.at ||= past === 0;
  }
  return seen;
};

/** Watch records expire one after the other; answers whether a read came close enough to tell. */
const watchExpiry = async (store: StorageAdapter): Promise<boolean> => {
  const start = Date.now() + 60;
  const records = Array.from({ length: 12 }, (_, i) => freshRecord({ expiresAt: new Date(start + i * 7) }));
  await putEach(store, records);
  const seen = { before: false, at: false };
  for (let done = false; !done; await nextTurn()) {
    done = Date.now() > start + 12 * 7;
    const now = await checkBoundary(store, records);
    seen.before ||= now.before;
    seen.at ||= now.at;
  }
  return seen.before && seen.at;
};

/** Put a record that expires soon, change it in time, and wait until it has expired. */
const expireAfter = async (
  store: StorageAdapter,
  ...changes: ((record: StoredRecord) => Write)[]
): Promise<StoredRecord> => {
  for (let lifetime = 120; ; lifetime *= 2) {
    const record = freshRecord({ expiresAt: inMilliseconds(lifetime) });
    await commit(store, put(record));
    let conflict: Conflict | undefined;
    for (const change of changes) conflict ??= await store.commit([change(record)]);
    // On a slow machine it may have expired before it was changed: it gets longer the next time.
    if (conflict && lifetime < 2_000) continue;
    assertCommitted(conflict, 'changing a record before its expiry');
    await reach(record.expiresAt);
    return record;
  }
};

export const expiryLaws = lawsOf({
  'expired-is-absent-at-read': {
    says: 'A record is absent once its expiry has passed, whether or not a sweep has run.',
    async check({ store }) {
      const record = freshRecord({ expiresAt: soon() });
      await commit(store, put(record));
      await reach(record.expiresAt);
      assertAbsent(await readOne(store, record), 'a record read after its expiry');
    },
  },
  'expiry-is-exact': {
    says: 'A record is present until the instant of its expiry and absent from that instant on.',
    async check({ store }) {
      // A busy machine may read too seldom to tell: then once more.
      for (let round = 0; round < 10; round++) if (await watchExpiry(store)) return;
    },
  },
  'expiry-is-kept-to-the-millisecond': {
    says: 'The expiry comes back as it was given: to the millisecond, in the far future too, and null as null.',
    async check({ store }) {
      const dates = [new Date('2038-01-19T03:14:08.123Z'), new Date('9999-12-31T23:59:59.999Z'), null];
      for (const expiresAt of dates) {
        const record = freshRecord({ expiresAt });
        await commit(store, put(record));
        assertFound(
          await readOne(store, record),
          record,
          `a record that expires ${expiresAt?.toISOString() ?? 'never'}`,
        );
      }
    },
  },
  'born-expired-is-absent': {
    says: 'A record put with an expiry in the past is no error and absent, and what it replaces is gone.',
    async check({ store }) {
      for (const expiresAt of [inMilliseconds(-1), inMilliseconds(-86_400_000), new Date(0)]) {
        const record = freshRecord();
        await commit(store, put(record));
        await commit(store, put({ ...record, expiresAt }));
        assertAbsent(await readOne(store, record), `a record put with the past expiry ${expiresAt.toISOString()}`);
      }
    },
  },
  'expired-is-absent-to-writes': {
    says: 'Consume, merge and a put onlyIfPresent find no record once it has expired.',
    async check({ store }) {
      const record = await expireAfter(store);
      for (const write of [consume(record), merge(record, 'member'), replace({ ...record, expiresAt: null })])
        assertConflict(await store.commit([write]), write, 'absent', `${write.type} after expiry`);
      assertAbsent(await readOne(store, record), 'a record after writes that came too late');
    },
  },
  'claim-after-expiry-wins': {
    says: 'What was claimed and has expired can be claimed again.',
    async check({ store }) {
      const record = freshRecord({ kind: 'replay', expiresAt: soon() });
      await commit(store, claim(record));
      await reach(record.expiresAt);
      const again = freshRecord({ kind: 'replay', id: record.id, payload: '"again"' });
      assertSame(await store.commit([claim(again)]), undefined, 'claiming again after expiry: conflict');
      assertFound(await readOne(store, again), again, 'the record claimed again');
    },
  },
  'nothing-outlives-expiry': {
    says: 'A record claimed or put where one has expired starts afresh: not consumed, without members or old indexes.',
    async check({ store }) {
      const revive = async (reborn: (record: StoredRecord) => ReturnType<typeof claim>) => {
        const old = await expireAfter(
          store,
          (record) => merge(record, 'old'),
          (record) => consume(record),
        );
        const record = freshRecord({ id: old.id, payload: '"new"' });
        await commit(store, reborn(record));
        await commit(store, merge(record, 'new'));
        assertFound(await readOne(store, record), record, 'a record where one has expired', { members: ['new'] });
      };
      await Promise.all([revive(claim), revive(put)]);
    },
  },
  'put-replaces-the-expiry': {
    says: 'A put replaces the expiry, later or never, and the old one does not come back.',
    async check({ store }) {
      const extend = async (expiresAt: Date | null) => {
        const record = freshRecord({ expiresAt: soon() });
        await commit(store, put(record));
        const extended = { ...record, expiresAt };
        await commit(store, put(extended));
        await reach(record.expiresAt);
        assertFound(await readOne(store, extended), extended, 'a record that was given longer, after its first expiry');
      };
      await Promise.all([extend(inMilliseconds(60_000)), extend(null)]);
    },
  },
  'changes-keep-the-expiry': {
    says: 'Consume and merge leave the expiry as it is.',
    async check({ store }) {
      const expired = await Promise.all([
        expireAfter(store, (record) => merge(record, 'member')),
        expireAfter(store, (record) => consume(record)),
      ]);
      await assertEachAbsent(store, expired, 'a changed record after its expiry');
    },
  },
});
