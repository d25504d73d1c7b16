import { assertSame } from '../kit/law.ts';
import { kinds, type StoredRecord } from '../port.ts';
import { assertAbsent, assertFound } from './assert.ts';
import { lawsOf } from './law.ts';
import { assertEachStored, commit, freshId, freshRecord, keyOf, put, putEach, readEach, readOne } from './records.ts';

/** JSON texts that a store which parses, normalises or re-encodes them does not give back as they were. */
const payloads: Readonly<Record<string, string>> = {
  'an empty object': '{}',
  'an escaped \\u0000': JSON.stringify({ text: 'a\u0000b' }),
  'escaped lone surrogates': JSON.stringify({ text: '\ud800 and \udfff' }),
  'unicode of every plane': JSON.stringify({ text: 'Zoë, Zoe\u0308, 渡辺, עברית, 👩‍👩‍👧, \u2028, \ufeff, \uffff, 𝄞' }),
  'quotes and backslashes': JSON.stringify({ text: `'; drop table records; -- \\ " \${x} %s ? $1 :name` }),
  'its own spacing and key order': '{ "b": 1.0,\n\t"a" : 2, "10": 3, "9": 4 }',
  'a key given twice': '{"a":1,"a":2}',
  'a number beyond 2^53': '{"n":12345678901234567890.10}',
  'a bare string': '"text"',
};

export const readLaws = lawsOf({
  'read-answers-in-the-order-of-its-keys': {
    says: 'The answer has the length and order of the keys: undefined for what is absent, a record for every duplicate.',
    async check({ store }) {
      const [a, b, absent] = [freshRecord(), freshRecord(), freshRecord()];
      await putEach(store, [a, b]);
      const found = await readEach(store, [b, absent, a, b, absent]);
      const ids = found.map((record) => record?.id);
      assertSame(ids, [b.id, undefined, a.id, b.id, undefined], 'the ids read for [b, absent, a, b, absent]');
    },
  },
  'read-of-nothing-answers-nothing': {
    says: 'Reading an empty list of keys answers an empty list.',
    async check({ store }) {
      assertSame([...(await store.read([]))], [], 'the answer to no keys');
    },
  },
  'read-takes-any-number-of-keys': {
    says: 'One read takes 1,500 keys.',
    async check({ store }) {
      const record = freshRecord();
      await commit(store, put(record));
      const keys = [...Array.from({ length: 1_499 }, () => freshRecord()), record];
      const found = await readEach(store, keys);
      assertSame(found.length, 1_500, 'the length of the answer to 1,500 keys');
      assertFound(found.at(-1), record, 'the last of 1,500 keys');
    },
  },
  'read-gives-back-every-field': {
    says: 'A record comes back with the fields it was put with, no others, not consumed and without members.',
    async check({ store }) {
      const full = freshRecord({ grantId: freshId(), subject: 'Zoë 👩‍👩‍👧', clientId: 'my:client%_*{}' });
      const bare = freshRecord({ expiresAt: null });
      await putEach(store, [full, bare]);
      assertFound(await readOne(store, full), full, 'a record with every field');
      assertFound(await readOne(store, bare), bare, 'a record without optional fields');
    },
  },
  'kinds-separate-ids': {
    says: 'Records of different kinds may have the same id and do not meet.',
    async check({ store }) {
      const id = freshId();
      const records = kinds.map((kind): StoredRecord => freshRecord({ kind, id, payload: `{"kind":"${kind}"}` }));
      await putEach(store, records);
      await commit(store, { type: 'remove', key: { kind: 'flow', id } });
      for (const [index, found] of (await readEach(store, records)).entries()) {
        const record = records[index] as StoredRecord;
        if (record.kind === 'flow') assertAbsent(found, 'the removed one of the kinds');
        else assertFound(found, record, `the ${record.kind} among records with one id`);
      }
    },
  },
  'ids-are-case-sensitive': {
    says: 'Ids that differ in case alone, or in the last character alone, are different ids.',
    async check({ store }) {
      const id = `aB_-${freshId().slice(5)}`;
      const records = [id, id.toUpperCase(), id.toLowerCase(), `${id.slice(0, 42)}~`].map((each) =>
        freshRecord({ id: each, payload: JSON.stringify(each) }),
      );
      await putEach(store, records);
      await assertEachStored(store, records, 'one of the records with similar ids');
    },
  },
  'payloads-come-back-verbatim': {
    says: 'A payload comes back character for character: it is text, not JSON, to the store.',
    async check({ store }) {
      for (const [what, payload] of Object.entries(payloads)) {
        const record = freshRecord({ payload });
        await commit(store, put(record));
        assertFound(await readOne(store, record), record, `a payload with ${what}`);
      }
    },
  },
  'large-payloads-are-kept-whole': {
    says: 'A payload of 100 KB comes back whole.',
    async check({ store }) {
      const record = freshRecord({ payload: JSON.stringify({ text: 'é0123456789abcde'.repeat(6_400) }) });
      await commit(store, put(record));
      const found = await readOne(store, record);
      assertSame(found?.payload.length, record.payload.length, 'the length of a payload of 100 KB');
      assertFound(found, record, 'a payload of 100 KB');
    },
  },
  'read-sees-earlier-commits': {
    says: 'A read that starts after a commit has resolved sees that commit.',
    async check({ store }) {
      const record = freshRecord();
      for (let version = 0; version < 20; version++) {
        const payload = JSON.stringify({ version });
        await commit(store, put({ ...record, payload }));
        assertSame((await readOne(store, record))?.payload, payload, 'the payload read after a put');
      }
      await commit(store, { type: 'remove', key: keyOf(record) });
      assertAbsent(await readOne(store, record), 'a record read after its removal');
    },
  },
});
