import { setImmediate as nextTurn } from 'node:timers/promises';
import { assertConflict, assertFound } from './assert.ts';
import { lawsOf } from './law.ts';
import {
  assertEachAbsent,
  claim,
  commit,
  consume,
  fiftyTimes,
  freshGrant,
  merge,
  put,
  putEach,
  readEach,
  remove,
  replace,
} from './records.ts';

/** A conflict changes nothing. */
export const conflictLaws = lawsOf({
  'conflict-undoes-every-write': {
    says: 'A conflict undoes the writes before it, of every type, and those after it have no effect.',
    async check({ store }) {
      const { record } = freshGrant();
      const standing = {
        replaced: record(),
        updated: record(),
        removed: record(),
        consumed: record(),
        merged: record(),
      };
      const added = { put: record(), claimed: record(), late: record() };
      await putEach(store, Object.values(standing));
      const failing = consume(record());
      const conflict = await store.commit([
        put(added.put),
        claim(added.claimed),
        put({ ...standing.replaced, payload: '"changed"' }),
        replace({ ...standing.updated, payload: '"changed"' }),
        remove(standing.removed),
        consume(standing.consumed),
        merge(standing.merged, 'member'),
        failing,
        put(added.late),
      ]);
      assertConflict(conflict, failing, 'absent', 'a commit with a consume of nothing');
      const found = await readEach(store, Object.values(standing));
      for (const [index, [what, before]] of Object.entries(standing).entries())
        assertFound(found[index], before, `the record to be ${what}, after the conflict`);
      await assertEachAbsent(store, Object.values(added), 'a record added by a conflicting commit');
    },
  },
  'conflict-names-the-first-write-that-failed': {
    says: 'A conflict names the first write, in order, that could not be carried out, and the reason.',
    async check({ store }) {
      const { record } = freshGrant();
      const [live, used] = [record(), record()];
      await putEach(store, [live, used]);
      await commit(store, consume(used));
      const failing = [
        { write: consume(record()), reason: 'absent' },
        { write: claim({ ...live, payload: '"second"' }), reason: 'exists' },
        { write: consume(used), reason: 'consumed' },
        { write: merge(used, 'member'), reason: 'consumed' },
        { write: replace(record()), reason: 'absent' },
        { write: merge(record(), 'member'), reason: 'absent' },
      ] as const;
      for (const [index, { write, reason }] of failing.entries()) {
        const others = failing.toSpliced(index, 1).map((other) => other.write);
        const conflict = await store.commit([put(record()), write, ...others, put(record())]);
        assertConflict(conflict, write, reason, `a commit whose first impossible write is ${write.type} (${reason})`);
      }
    },
  },
  'conflicting-commit-is-never-seen': {
    says: 'No read, at any moment, sees a write of a commit that ends in a conflict.',
    async check({ store }) {
      const { record } = freshGrant();
      const added = [record(), record()];
      const missing = record();
      let running = true;
      const watch = async () => {
        while (running) {
          await assertEachAbsent(store, added, 'a record of a commit that conflicts');
          await nextTurn();
        }
      };
      const write = fiftyTimes(() => store.commit([...added.map(put), consume(missing)])).finally(() => {
        running = false;
      });
      await Promise.all([write, watch(), watch()]);
    },
  },
});
