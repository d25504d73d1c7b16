import { assertSame } from '../kit/law.ts';
import type { StorageAdapter } from '../port.ts';
import { assertAbsent, assertFound } from './assert.ts';
import { type LawSubject, lawsOf } from './law.ts';
import { claim, commit, consume, fiftyTimes, freshRecord, merge, put, readOne, remove, winnersOf } from './records.ts';

/** Run with a few more adapters on the same store, as other processes would have them. */
const withHandles = async (
  { store, open }: LawSubject,
  use: (handleOf: (index: number) => StorageAdapter) => Promise<void>,
): Promise<void> => {
  const others = await Promise.all([open(), open(), open(), open()]);
  try {
    await use((index) => [store, ...others][index % 5] ?? store);
  } finally {
    await Promise.all(others.map((other) => other.close()));
  }
};

/** Additional laws of a store that several processes use, or that outlives a process. */
export const sharingLaws = lawsOf({
  'shared-commits-are-seen-by-all': {
    says: 'Where a store is shared, a read through one adapter sees what was committed through another before it began.',
    needs: { shared: true },
    check: (subject) =>
      withHandles(subject, async (handleOf) => {
        const record = freshRecord();
        for (let round = 0; round < 10; round++) {
          const current = { ...record, payload: JSON.stringify({ round }) };
          await commit(handleOf(round), put(current));
          await commit(handleOf(round + 1), merge(record, 'member'));
          for (let reader = 0; reader < 5; reader++)
            assertFound(await readOne(handleOf(reader), record), current, 'a record read through another adapter', {
              members: ['member'],
            });
        }
        // An engine may keep the snapshot of a read for the next ones.
        for (let round = 10; round < 110; round++) {
          await readOne(handleOf(0), record);
          const current = { ...record, payload: JSON.stringify({ round }) };
          await commit(handleOf(1), put(current));
          assertFound(
            await readOne(handleOf(0), record),
            current,
            'a record read again after another adapter changed it',
          );
        }
        await commit(handleOf(0), remove(record));
        for (let reader = 0; reader < 5; reader++)
          assertAbsent(await readOne(handleOf(reader), record), 'a record removed through another adapter');
      }),
  },
  'one-of-fifty-shared-callers-wins': {
    says: 'Where a store is shared, of fifty parallel claims or consumes through several adapters exactly one wins.',
    needs: { shared: true },
    check: (subject) =>
      withHandles(subject, async (handleOf) => {
        const [claimed, consumed] = [freshRecord(), freshRecord()];
        await commit(handleOf(0), put(consumed));
        const claims = await fiftyTimes((index) => handleOf(index).commit([claim(claimed)]));
        assertSame(winnersOf(claims).length, 1, 'the number of claims through several adapters that won');
        const consumes = await fiftyTimes((index) => handleOf(index).commit([consume(consumed)]));
        assertSame(winnersOf(consumes).length, 1, 'the number of consumes through several adapters that won');
      }),
  },
  'durable-commits-survive-close': {
    says: 'Where a store is durable, what was committed is there when it is opened again.',
    needs: { durable: true },
    async check({ open }) {
      const record = freshRecord({ subject: 'subject', clientId: 'client' });
      const at = new Date();
      const first = await open();
      for (const write of [put(record), merge(record, 'member'), consume(record, at)]) await commit(first, write);
      await first.close();
      const second = await open();
      try {
        const state = { consumedAt: at, members: ['member'] };
        assertFound(await readOne(second, record), record, 'a record after the store was opened again', state);
      } finally {
        await second.close();
      }
    },
  },
});
