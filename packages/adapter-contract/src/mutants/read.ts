import type { FoundRecord } from '../port.ts';
import { mapKey, mutantsOf, override, turn, withAnswers, withKeys, withRecords, withWrites } from './mutant.ts';

export const readMutants = mutantsOf({
  'read-answers-in-the-order-of-its-keys': {
    'leaves-out-the-absent': (adapter) =>
      override(adapter, { read: async (keys) => (await adapter.read(keys)).filter(Boolean) }),
    'answers-duplicates-once': (adapter) =>
      override(adapter, { read: (keys) => adapter.read([...new Map(keys.map((key) => [mapKey(key), key])).values()]) }),
    'answers-in-the-order-of-ids': (adapter) =>
      override(adapter, { read: (keys) => adapter.read(keys.toSorted((a, b) => (a.id < b.id ? -1 : 1))) }),
  },
  'read-of-nothing-answers-nothing': {
    'fails-on-an-empty-in-clause': (adapter) =>
      override(adapter, {
        read: async (keys) => {
          if (keys.length === 0) throw new Error('syntax error at or near ")"');
          return adapter.read(keys);
        },
      }),
  },
  'read-takes-any-number-of-keys': {
    'reads-at-most-999-keys': (adapter) => override(adapter, { read: (keys) => adapter.read(keys.slice(0, 999)) }),
  },
  'read-gives-back-every-field': {
    'answers-null-for-a-missing-field': (adapter) =>
      withAnswers(adapter, (found) => ({ ...found, subject: found.subject ?? (null as unknown as undefined) })),
    'forgets-the-grant-of-a-record': (adapter) => withAnswers(adapter, ({ grantId: _, ...found }) => found),
  },
  'kinds-separate-ids': {
    'keys-by-id-alone': (adapter) => withKeys(adapter, (key) => ({ ...key, kind: 'flow' })),
  },
  'ids-are-case-sensitive': {
    'folds-the-case-of-ids': (adapter) => withKeys(adapter, (key) => ({ ...key, id: key.id.toLowerCase() })),
    'cuts-ids-to-42-characters': (adapter) => withKeys(adapter, (key) => ({ ...key, id: key.id.slice(0, 42) })),
  },
  'payloads-come-back-verbatim': {
    'stores-payloads-as-jsonb': (adapter) =>
      withRecords(adapter, (record) => ({ ...record, payload: JSON.stringify(JSON.parse(record.payload)) })),
    'rejects-escaped-nul': (adapter) =>
      withRecords(adapter, (record) => {
        if (record.payload.includes('\\u0000')) throw new Error('unsupported Unicode escape sequence');
        return record;
      }),
    'normalises-unicode': (adapter) =>
      withRecords(adapter, (record) => ({ ...record, payload: record.payload.normalize('NFC') })),
  },
  'large-payloads-are-kept-whole': {
    'cuts-payloads-to-64-kb': (adapter) =>
      withRecords(adapter, (record) => ({ ...record, payload: record.payload.slice(0, 65_535) })),
  },
  'read-sees-earlier-commits': {
    'resolves-before-it-has-written': (adapter) =>
      override(adapter, {
        commit: async (writes) => {
          // Conditions are awaited, so that what is wrong is the visibility alone.
          if (writes.some(({ type }) => type !== 'put' && type !== 'remove')) return adapter.commit(writes);
          turn()
            .then(() => adapter.commit(writes))
            .catch(() => undefined);
          return undefined;
        },
      }),
  },
});

export const aliasingMutants = mutantsOf({
  'answers-alias-nothing': {
    'answers-from-a-cache-of-objects': (adapter) => {
      const cache = new Map<string, FoundRecord>();
      const cached = (found: FoundRecord): FoundRecord => {
        const known = cache.get(mapKey(found));
        if (known) return known;
        cache.set(mapKey(found), found);
        return found;
      };
      return override(withAnswers(adapter, cached), {
        commit: async (writes) => {
          cache.clear();
          return adapter.commit(writes).finally(() => cache.clear());
        },
      });
    },
  },
  'writes-are-not-kept-by-reference': {
    'keeps-the-date-it-was-given': (adapter) => {
      const dates = new Map<string, Date | null>();
      const writing = withRecords(adapter, (record) => {
        dates.set(mapKey(record), record.expiresAt);
        return record;
      });
      return withAnswers(writing, (found) => ({ ...found, expiresAt: dates.get(mapKey(found)) ?? found.expiresAt }));
    },
    'keeps-the-members-it-was-given': (adapter) => {
      const given = new Map<string, readonly string[]>();
      const writing = withWrites(adapter, (write) => {
        if (write.type === 'merge') given.set(mapKey(write.key), write.members);
        return write;
      });
      return withAnswers(writing, (found) => ({ ...found, members: given.get(mapKey(found)) ?? found.members }));
    },
  },
});
