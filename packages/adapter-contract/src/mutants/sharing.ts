import type { FoundRecord, StorageAdapter, Write } from '../port.ts';
import { mapKey, mutantsOf, override, readOne, remembering, removeAll, turn } from './mutant.ts';

/** A lock in this process: it serialises the callers of one adapter, and no others. */
const withLock = (
  adapter: StorageAdapter,
  carryOut: (write: Write) => ReturnType<StorageAdapter['commit']>,
): StorageAdapter => {
  let last: Promise<unknown> = Promise.resolve();
  return override(adapter, {
    commit: (writes) => {
      const [only] = writes;
      const isConditional =
        writes.length === 1 && only !== undefined && (only.type === 'claim' || only.type === 'consume');
      const result = last.then(() => (isConditional ? carryOut(only) : adapter.commit(writes)));
      last = result.catch(() => undefined);
      return result;
    },
  });
};

export const sharingMutants = mutantsOf({
  'shared-commits-are-seen-by-all': {
    'reads-from-a-cache-of-its-own': (adapter) => {
      const cache = new Map<string, FoundRecord>();
      return override(adapter, {
        read: (keys) =>
          Promise.all(
            keys.map(async (key) => {
              const found = cache.get(mapKey(key)) ?? (await readOne(adapter, key));
              if (found) cache.set(mapKey(key), found);
              return found;
            }),
          ),
        commit: (writes) => {
          cache.clear();
          return adapter.commit(writes);
        },
      });
    },
  },
  'one-of-fifty-shared-callers-wins': {
    'locks-in-the-process': (adapter) =>
      withLock(adapter, async (write) => {
        if (write.type !== 'claim') return adapter.commit([write]);
        if (await readOne(adapter, write.record)) return { write, reason: 'exists' };
        await turn();
        return adapter.commit([{ type: 'put', record: write.record }]);
      }),
  },
  'durable-commits-survive-close': {
    'forgets-at-close': remembering((adapter, keys) => ({
      close: async () => {
        await adapter.commit(removeAll(keys.values()));
        await adapter.close();
      },
    })),
  },
});
