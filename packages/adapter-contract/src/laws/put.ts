import { assertSame } from '../kit/law.ts';
import { assertAbsent, assertConflict, assertFound } from './assert.ts';
import { lawsOf } from './law.ts';
import { commit, consume, freshId, freshRecord, merge, put, readOne, remove, replace } from './records.ts';

export const putLaws = lawsOf({
  'put-replaces-the-whole-record': {
    says: 'A put replaces payload, expiry and indexes; a field it does not give is gone.',
    async check({ store }) {
      const subject = freshId();
      const full = freshRecord({ kind: 'session', subject, clientId: freshId() });
      await commit(store, put(full));
      const bare = freshRecord({ kind: 'session', id: full.id, payload: '"replaced"', expiresAt: null });
      await commit(store, put(bare));
      assertFound(await readOne(store, bare), bare, 'a record after it was replaced');
      const { records } = await store.list({ kind: 'session', subject, limit: 10 });
      assertSame(records.length, 0, 'the number of records under a subject that was replaced');
    },
  },
  'put-starts-afresh': {
    says: 'A record that was replaced is not consumed and has no members.',
    async check({ store }) {
      const record = freshRecord();
      for (const write of [put(record), replace(record)]) {
        for (const earlier of [put(record), merge(record, 'old'), consume(record)]) await commit(store, earlier);
        await commit(store, write);
        assertFound(await readOne(store, record), record, 'a consumed record after it was replaced');
        await commit(store, merge(record, 'new'));
        assertFound(await readOne(store, record), record, 'a record merged after it was replaced', {
          members: ['new'],
        });
      }
    },
  },
  'put-only-if-present-needs-a-record': {
    says: 'A put onlyIfPresent conflicts (absent) where there is no live record, and replaces one that there is.',
    async check({ store }) {
      const record = freshRecord();
      const write = replace({ ...record, payload: '"replaced"' });
      assertConflict(await store.commit([write]), write, 'absent', 'replacing what is absent');
      assertAbsent(await readOne(store, record), 'a record that was to be replaced only');
      await commit(store, put(record));
      await commit(store, write);
      assertSame((await readOne(store, record))?.payload, '"replaced"', 'the payload after a put onlyIfPresent');
      await commit(store, remove(record));
      assertConflict(await store.commit([write]), write, 'absent', 'replacing what was removed');
    },
  },
  'remove-deletes': {
    says: 'A removed record is absent to reads, lists and writes, and may be put again.',
    async check({ store }) {
      const subject = freshId();
      const record = freshRecord({ kind: 'session', subject });
      for (const write of [put(record), merge(record, 'old'), remove(record)]) await commit(store, write);
      assertAbsent(await readOne(store, record), 'a removed record');
      const { records } = await store.list({ kind: 'session', subject, limit: 10 });
      assertSame(records.length, 0, 'the number of records listed after the only one was removed');
      const write = consume(record);
      assertConflict(await store.commit([write]), write, 'absent', 'consuming what was removed');
      await commit(store, put(record));
      assertFound(await readOne(store, record), record, 'a record put again after its removal');
    },
  },
  'remove-is-idempotent': {
    says: 'Removing what is absent is no conflict.',
    async check({ store }) {
      const record = freshRecord();
      await commit(store, remove(record));
      await commit(store, put(record));
      await commit(store, remove(record));
      await commit(store, remove(record));
    },
  },
});
