import type { FoundRecord } from '../port.ts';
import { type Mutant, mapKey, override, turn, withAnswers, withKeys, withRecords, withWrites } from './mutant.ts';

export const readMutants: readonly Mutant[] = [
  {
    name: 'leaves-out-the-absent',
    breaks: 'read-answers-in-the-order-of-its-keys',
    wrap: (adapter) => override(adapter, { read: async (keys) => (await adapter.read(keys)).filter(Boolean) }),
  },
  {
    name: 'answers-duplicates-once',
    breaks: 'read-answers-in-the-order-of-its-keys',
    wrap: (adapter) =>
      override(adapter, { read: (keys) => adapter.read([...new Map(keys.map((key) => [mapKey(key), key])).values()]) }),
  },
  {
    name: 'answers-in-the-order-of-ids',
    breaks: 'read-answers-in-the-order-of-its-keys',
    wrap: (adapter) =>
      override(adapter, { read: (keys) => adapter.read(keys.toSorted((a, b) => (a.id < b.id ? -1 : 1))) }),
  },
  {
    name: 'fails-on-an-empty-in-clause',
    breaks: 'read-of-nothing-answers-nothing',
    wrap: (adapter) =>
      override(adapter, {
        read: async (keys) => {
          if (keys.length === 0) throw new Error('syntax error at or near ")"');
          return adapter.read(keys);
        },
      }),
  },
  {
    name: 'reads-at-most-999-keys',
    breaks: 'read-takes-any-number-of-keys',
    wrap: (adapter) => override(adapter, { read: (keys) => adapter.read(keys.slice(0, 999)) }),
  },
  {
    name: 'answers-null-for-a-missing-field',
    breaks: 'read-gives-back-every-field',
    wrap: (adapter) =>
      withAnswers(adapter, (found) => ({ ...found, subject: found.subject ?? (null as unknown as undefined) })),
  },
  {
    name: 'forgets-the-grant-of-a-record',
    breaks: 'read-gives-back-every-field',
    wrap: (adapter) => withAnswers(adapter, ({ grantId: _, ...found }) => found),
  },
  {
    name: 'keys-by-id-alone',
    breaks: 'kinds-separate-ids',
    wrap: (adapter) => withKeys(adapter, (key) => ({ ...key, kind: 'flow' })),
  },
  {
    name: 'folds-the-case-of-ids',
    breaks: 'ids-are-case-sensitive',
    wrap: (adapter) => withKeys(adapter, (key) => ({ ...key, id: key.id.toLowerCase() })),
  },
  {
    name: 'cuts-ids-to-42-characters',
    breaks: 'ids-are-case-sensitive',
    wrap: (adapter) => withKeys(adapter, (key) => ({ ...key, id: key.id.slice(0, 42) })),
  },
  {
    name: 'stores-payloads-as-jsonb',
    breaks: 'payloads-come-back-verbatim',
    wrap: (adapter) =>
      withRecords(adapter, (record) => ({ ...record, payload: JSON.stringify(JSON.parse(record.payload)) })),
  },
  {
    name: 'rejects-escaped-nul',
    breaks: 'payloads-come-back-verbatim',
    wrap: (adapter) =>
      withRecords(adapter, (record) => {
        if (record.payload.includes('\\u0000')) throw new Error('unsupported Unicode escape sequence');
        return record;
      }),
  },
  {
    name: 'normalises-unicode',
    breaks: 'payloads-come-back-verbatim',
    wrap: (adapter) => withRecords(adapter, (record) => ({ ...record, payload: record.payload.normalize('NFC') })),
  },
  {
    name: 'cuts-payloads-to-64-kb',
    breaks: 'large-payloads-are-kept-whole',
    wrap: (adapter) => withRecords(adapter, (record) => ({ ...record, payload: record.payload.slice(0, 65_535) })),
  },
  {
    name: 'resolves-before-it-has-written',
    breaks: 'read-sees-earlier-commits',
    wrap: (adapter) =>
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
];

export const aliasingMutants: readonly Mutant[] = [
  {
    name: 'answers-from-a-cache-of-objects',
    breaks: 'answers-alias-nothing',
    wrap: (adapter) => {
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
  {
    name: 'keeps-the-date-it-was-given',
    breaks: 'writes-are-not-kept-by-reference',
    wrap: (adapter) => {
      const dates = new Map<string, Date | null>();
      const writing = withRecords(adapter, (record) => {
        dates.set(mapKey(record), record.expiresAt);
        return record;
      });
      return withAnswers(writing, (found) => ({ ...found, expiresAt: dates.get(mapKey(found)) ?? found.expiresAt }));
    },
  },
  {
    name: 'keeps-the-members-it-was-given',
    breaks: 'writes-are-not-kept-by-reference',
    wrap: (adapter) => {
      const given = new Map<string, readonly string[]>();
      const writing = withWrites(adapter, (write) => {
        if (write.type === 'merge') given.set(mapKey(write.key), write.members);
        return write;
      });
      return withAnswers(writing, (found) => ({ ...found, members: given.get(mapKey(found)) ?? found.members }));
    },
  },
];
