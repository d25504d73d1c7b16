import { assertConflict, assertFound } from './assert.ts';
import { lawsOf } from './law.ts';
import {
  assertEachAbsent,
  assertEachStored,
  claim,
  commit,
  consume,
  freshGrant,
  freshRecord,
  merge,
  put,
  putEach,
  readEach,
  remove,
  replace,
  revoke,
} from './records.ts';

/**
 * Commits over several grants. Their parts are what belongs to one grant, its revocation included, and each record that
 * belongs to none. Where laws bind every adapter, the outcome is the same whether commits are atomic whole or by part.
 */
export const partLaws = lawsOf({
  'commit-spans-grants': {
    says: 'The writes of one commit may belong to several grants and to none; without a conflict all are applied.',
    async check({ store }) {
      const [a, b, revoked] = [freshGrant(), freshGrant(), freshGrant()];
      const [used, removed, merged, replaced] = [b.record(), a.record(), freshRecord(), a.record()];
      const ended = [revoked.record(), revoked.record({ kind: 'grant' })];
      await putEach(store, [used, removed, merged, replaced, ...ended]);
      const [early, late, single] = [a.record(), b.record(), freshRecord()];
      const [addedUsed, afterRevoke] = [freshRecord(), revoked.record()];
      const [changed, at] = [{ ...replaced, payload: '"replaced"' }, new Date()];
      await commit(
        store,
        ...[put(early), consume(used, at), put(addedUsed), revoke(revoked.grantId), merge(merged, 'member')],
        ...[remove(removed), put(late), put(afterRevoke), put(single), consume(addedUsed, at), replace(changed)],
      );
      const remaining = [early, late, single, afterRevoke, changed];
      await assertEachStored(store, remaining, 'a record of a commit over several grants');
      await assertEachAbsent(store, [removed, ...ended], 'a record ended in a commit over several grants');
      const [foundUsed, foundAdded, foundMerged] = await readEach(store, [used, addedUsed, merged]);
      assertFound(foundUsed, used, 'a record consumed in a commit over several grants', { consumedAt: at });
      assertFound(foundAdded, addedUsed, 'a record put and consumed among others', { consumedAt: at });
      assertFound(foundMerged, merged, 'a record merged in a commit over several grants', { members: ['member'] });
    },
  },
  'conflict-undoes-its-whole-part': {
    says: 'A conflict undoes all of its grant, or of its record of none, however the commit mixes it with others.',
    async check({ store }) {
      const [a, b] = [freshGrant(), freshGrant()];
      const remaining = [a.record(), a.record()] as const;
      await putEach(store, remaining);
      const [own, record] = [a.record(), freshRecord()];
      const [missing, again] = [consume(a.record()), consume(record)];
      const others = [b.record(), freshRecord(), b.record({ kind: 'session' })] as const;
      const mixes = [
        [missing, 'absent', [put(own), put(others[0]), merge(remaining[0], 'member'), put(others[1]), missing]],
        [missing, 'absent', [revoke(a.grantId), put(others[0]), claim(own), put(others[1]), missing]],
        [missing, 'absent', [consume(remaining[0]), put(others[0]), remove(remaining[1]), missing, put(own)]],
        [again, 'consumed', [put(record), put(others[0]), consume(record), put(others[1]), again]],
      ] as const;
      for (const [failing, reason, writes] of mixes) {
        const what = `a commit of [${writes.map(({ type }) => type).join(', ')}] that fails`;
        assertConflict(await store.commit([...writes, put(others[2])]), failing, reason, what);
        await assertEachStored(store, remaining, `a record of the same grant, before and after ${what}`);
        await assertEachAbsent(store, [own, record, ...others], `a record that was to be added by ${what}`);
      }
    },
  },
  'conflict-stops-the-parts-after-it': {
    says: 'Writes after a conflict have no effect, except in parts that began before it.',
    async check({ store }) {
      const [a, b] = [freshGrant(), freshGrant()];
      const failing = consume(b.record());
      const later = [freshGrant().record(), freshRecord(), b.record()];
      const commits = [
        [failing, ...later.map(put)],
        [put(a.record()), put(freshRecord()), put(later[2] ?? b.record()), failing, ...later.slice(0, 2).map(put)],
      ];
      for (const writes of commits) {
        assertConflict(await store.commit(writes), failing, 'absent', 'a commit over several grants');
        await assertEachAbsent(store, later, 'a record put after a conflict');
      }
    },
  },
  'conflict-is-named-across-grants': {
    says: 'Where several parts fail, the conflict names the first failure of the first of them.',
    async check({ store }) {
      const [a, b] = [freshGrant().record(), freshRecord()];
      await putEach(store, [a, b]);
      await commit(store, consume(b));
      const failing = [
        { write: consume(freshGrant().record()), reason: 'absent' },
        { write: claim({ ...a, payload: '"second"' }), reason: 'exists' },
        { write: merge(b, 'member'), reason: 'consumed' },
        { write: replace(freshRecord()), reason: 'absent' },
      ] as const;
      for (const [index, { write, reason }] of failing.entries()) {
        const others = failing.toSpliced(index, 1).map((other) => other.write);
        const conflict = await store.commit([put(freshRecord()), write, ...others, put(freshGrant().record())]);
        assertConflict(conflict, write, reason, `a commit whose first part to fail has a ${write.type} (${reason})`);
      }
    },
  },
  'conflict-undoes-other-grants': {
    says: 'If every commit is atomic, a conflict undoes all writes before it, of any grant.',
    needs: { atomicCommit: 'all' },
    async check({ store }) {
      const added = [freshGrant().record(), freshRecord(), freshGrant().record({ kind: 'session' })];
      const remaining = freshGrant().record();
      await commit(store, put(remaining));
      const failing = consume(freshGrant().record());
      const conflict = await store.commit([...added.map(put), remove(remaining), failing]);
      assertConflict(conflict, failing, 'absent', 'a commit over several grants');
      await assertEachAbsent(store, added, 'a record of another grant than the conflict');
      await assertEachStored(store, [remaining], 'a record removed before a conflict of another grant');
    },
  },
  'conflict-is-named-in-the-order-of-writes': {
    says: 'If every commit is atomic, the reported conflict is the first write that failed, of any grant.',
    needs: { atomicCommit: 'all' },
    async check({ store }) {
      const [a, b] = [freshGrant(), freshGrant()];
      const [first, second] = [consume(b.record()), consume(a.record())];
      const conflict = await store.commit([put(a.record()), first, second]);
      assertConflict(conflict, first, 'absent', 'a commit of two grants that both fail');
    },
  },
  'parts-before-a-conflict-stand': {
    says: 'Where a commit is atomic by grant, the parts begun before that of the conflict stand, whole.',
    needs: { atomicCommit: 'grant' },
    async check({ store }) {
      const [a, b, revoked] = [freshGrant(), freshGrant(), freshGrant()];
      const [used, removed, ended] = [a.record(), a.record(), revoked.record()];
      await putEach(store, [used, removed, ended]);
      const [early, late, single, undone] = [a.record(), a.record(), freshRecord(), b.record()];
      const [at, failing] = [new Date(), consume(b.record())];
      const conflict = await store.commit([
        ...[put(early), put(single), revoke(revoked.grantId), put(undone), consume(used, at), failing],
        ...[remove(removed), put(late), merge(single, 'member'), put(freshRecord())],
      ]);
      assertConflict(conflict, failing, 'absent', 'a commit that is atomic by grant');
      await assertEachStored(store, [early, late], 'a record of a part begun before that of the conflict');
      await assertEachAbsent(store, [removed, ended], 'a record ended in a part begun before that of the conflict');
      await assertEachAbsent(store, [undone], 'a record of the part that fails');
      const [foundUsed, foundSingle] = await readEach(store, [used, single]);
      assertFound(foundUsed, used, 'a record consumed in a part begun before the conflict', { consumedAt: at });
      assertFound(foundSingle, single, 'a record of no grant, put before the conflict', { members: ['member'] });
    },
  },
  'conflict-is-named-in-the-order-of-parts': {
    says: 'Where a commit is atomic by grant, the conflict is the first failure of the part that was begun first.',
    needs: { atomicCommit: 'grant' },
    async check({ store }) {
      const [a, b] = [freshGrant(), freshGrant()];
      const [early, late, last] = [consume(b.record()), consume(a.record()), consume(a.record())];
      const conflict = await store.commit([put(a.record()), early, late, last]);
      assertConflict(conflict, late, 'absent', 'a commit of two grants that both fail');
    },
  },
});
