import type { Conflict, RecordKey, StorageAdapter, Write } from '../port.ts';
import { committing, mapKey, mutantsOf, override, turn, withAnswers, withWrites } from './mutant.ts';

/** Wraps a store so that it keeps a list of each grant's records. */
const withGrantLists = (
  adapter: StorageAdapter,
  revoke: (keys: readonly RecordKey[]) => Promise<Conflict | undefined>,
): StorageAdapter => {
  const lists = new Map<string, Map<string, RecordKey>>();
  return override(adapter, {
    commit: async (writes) => {
      for (const write of writes) {
        if (!('record' in write) || write.record.grantId === undefined) continue;
        const list = lists.get(write.record.grantId) ?? new Map();
        lists.set(write.record.grantId, list.set(mapKey(write.record), write.record));
      }
      const only = writes.length === 1 ? writes[0] : undefined;
      if (only?.type !== 'revoke') return adapter.commit(writes);
      return revoke([...(lists.get(only.grantId)?.values() ?? [])]);
    },
  });
};

export const revokeMutants = mutantsOf({
  'revoke-removes-the-whole-grant': {
    'revokes-tokens-alone': (adapter) =>
      withGrantLists(adapter, (keys) =>
        adapter.commit(keys.filter(({ kind }) => kind.endsWith('token')).map((key) => ({ type: 'remove', key }))),
      ),
  },
  'revoke-spares-all-else': {
    'revokes-by-prefix': (adapter) => {
      const grants = new Set<string>();
      return withWrites(adapter, (write) => {
        if ('record' in write && write.record.grantId) grants.add(write.record.grantId);
        if (write.type !== 'revoke') return write;
        const matching = [...grants].filter((grant) => grant.startsWith(write.grantId));
        return [write, ...matching.map((grantId): Write => ({ type: 'revoke', grantId }))];
      });
    },
    'revokes-the-subject': (adapter) => {
      const subjects = new Map<string, string>();
      return override(adapter, {
        commit: async (writes) => {
          for (const write of writes)
            if ('record' in write && write.record.grantId && write.record.subject)
              subjects.set(write.record.grantId, write.record.subject);
          const conflict = await adapter.commit(writes);
          for (const write of conflict ? [] : writes) {
            const subject = write.type === 'revoke' ? subjects.get(write.grantId) : undefined;
            if (subject === undefined) continue;
            const { records } = await adapter.list({ kind: 'session', subject, limit: 500 });
            await adapter.commit(records.map((key) => ({ type: 'remove', key })));
          }
          return conflict;
        },
      });
    },
  },
  'revoke-never-conflicts': {
    'revokes-what-it-knows-or-conflicts': (adapter) => {
      const known = new Set<string>();
      return override(adapter, {
        commit: async (writes) => {
          for (const write of writes) {
            if ('record' in write && write.record.grantId) known.add(write.record.grantId);
            if (write.type === 'revoke' && !known.has(write.grantId)) return { write, reason: 'absent' };
          }
          return adapter.commit(writes);
        },
      });
    },
    'revokes-for-ever': (adapter) => {
      const revoked = new Set<string>();
      const store = withWrites(adapter, (write) => {
        if (write.type === 'revoke') revoked.add(write.grantId);
        return write;
      });
      return withAnswers(store, (found) => (revoked.has(found.grantId ?? '') ? undefined : found));
    },
  },
  'revoke-takes-its-turn-in-a-commit': {
    'revokes-at-the-end-of-a-commit': committing((adapter, writes) =>
      adapter.commit(writes.toSorted((a, b) => +(a.type === 'revoke') - +(b.type === 'revoke'))),
    ),
    'revokes-outside-the-commit': committing(async (adapter, writes) => {
      await adapter.commit(writes.filter(({ type }) => type === 'revoke'));
      return adapter.commit(writes.filter(({ type }) => type !== 'revoke'));
    }),
  },
  'revoke-leaves-no-successor': {
    'looks-up-the-grant-then-deletes': (adapter) =>
      withGrantLists(adapter, async (keys) => {
        await turn();
        return adapter.commit(keys.map((key) => ({ type: 'remove', key })));
      }),
  },
});
