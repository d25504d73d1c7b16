import type { RecordKey, StorageAdapter, Write } from '../port.ts';
import { type Mutant, mapKey, mutantsOf, override, remembering, withKeys, withRecords, withWrites } from './mutant.ts';

/** An id, grant or subject without its issuer. */
const unbound = (text: string): string => text.replace(/^~[a-z0-9-]+~/, '');

/** The stored keys with the same id at other issuers. */
const namesakesOf = (keys: ReadonlyMap<string, RecordKey>, { kind, id }: RecordKey): readonly RecordKey[] =>
  [...keys.values()].filter((key) => key.kind === kind && key.id !== id && unbound(key.id) === unbound(id));

/** Each commit is carried out in a way that knows the keys of the commits before it. */
const committingWith =
  (
    commit: (
      adapter: StorageAdapter,
      writes: readonly Write[],
      keys: ReadonlyMap<string, RecordKey>,
    ) => ReturnType<StorageAdapter['commit']>,
  ): Mutant['wrap'] =>
  (adapter) => {
    const keys = new Map<string, RecordKey>();
    return override(adapter, {
      commit: (writes) => {
        const known = new Map(keys);
        for (const write of writes) if ('record' in write) keys.set(mapKey(write.record), write.record);
        return commit(adapter, writes, known);
      },
    });
  };

/** A write of this type is carried out for the records of every issuer that have the id. */
const forEveryIssuer = (type: 'remove' | 'consume' | 'merge'): Mutant['wrap'] =>
  committingWith((adapter, writes, keys) =>
    withWrites(adapter, (write): readonly Write[] => {
      if (write.type !== type) return [write];
      const [key = write.key] = namesakesOf(keys, write.key);
      return type === 'remove' ? [write, { ...write, key }] : [{ ...write, key }];
    }).commit(writes),
  );

/** What an issuer does not have, it finds at another. */
const readingOthers: Mutant['wrap'] = remembering((adapter, keys) => ({
  read: async (asked) => {
    const found = await adapter.read(asked);
    const others = await adapter.read(asked.map((key) => namesakesOf(keys, key)[0] ?? key));
    return asked.map((key, index) => found[index] ?? (others[index] && { ...others[index], ...key }));
  },
}));

/** A subject is stored and listed as `fold` makes it. */
const listingSubjects =
  (fold: (subject: string) => string): Mutant['wrap'] =>
  (adapter) => {
    const store = withRecords(adapter, (record) =>
      record.subject === undefined ? record : { ...record, subject: fold(record.subject) },
    );
    return override(store, {
      list: (query) => store.list(query.subject === undefined ? query : { ...query, subject: fold(query.subject) }),
    });
  };

const revokingEveryIssuer = (adapter: StorageAdapter): StorageAdapter => {
  const grants = new Set<string>();
  return withWrites(adapter, (write) => {
    if ('record' in write && write.record.grantId !== undefined) grants.add(write.record.grantId);
    if (write.type !== 'revoke') return write;
    const same = [...grants].filter((grantId) => unbound(grantId) === unbound(write.grantId));
    return [write, ...same.map((grantId): Write => ({ type: 'revoke', grantId }))];
  });
};

export const issuerMutants = mutantsOf({
  'issuers-share-no-record': {
    'reads-the-records-of-other-issuers': readingOthers,
    'removes-at-every-issuer': forEveryIssuer('remove'),
    'consumes-at-another-issuer': forEveryIssuer('consume'),
    'merges-at-another-issuer': forEveryIssuer('merge'),
    'revokes-at-every-issuer': revokingEveryIssuer,
  },
  'issuers-have-ids-of-their-own': {
    'stores-ids-without-issuers': (adapter) => withKeys(adapter, (key) => ({ ...key, id: unbound(key.id) })),
    'claims-an-id-for-every-issuer': committingWith(async (adapter, writes, keys) => {
      const taken = writes.find((write) => write.type === 'claim' && namesakesOf(keys, write.record).length > 0);
      return taken ? { write: taken, reason: 'exists' } : adapter.commit(writes);
    }),
  },
  'issuers-share-no-list-of-a-kind': {
    'begins-lists-at-known-ids-only': remembering((adapter, keys) => ({
      list: (query) => {
        const isKnown = keys.has(mapKey({ kind: query.kind, id: query.after ?? '' }));
        return adapter.list(isKnown ? query : { ...query, after: undefined });
      },
    })),
  },
  'issuers-share-no-list-of-a-subject': {
    'stores-subjects-without-issuers': listingSubjects(unbound),
  },
  'issuers-share-no-scan': {
    'scans-without-issuers': (adapter) =>
      override(adapter, {
        scan: ({ prefix = '', ...query }) => adapter.scan({ ...query, prefix: unbound(prefix) }),
      }),
  },
  'issuers-have-long-subjects': {
    'cuts-subjects-to-1024-bytes': listingSubjects((subject) => subject.slice(0, 1_024)),
  },
});
