import type { FoundRecord, RecordKey, StorageAdapter, Write } from '../port.ts';
import { type Mutant, mapKey, override, readOne, turn } from './mutant.ts';

/** A mutant that remembers the records it was given. */
const remembering =
  (
    members: (adapter: StorageAdapter, keys: ReadonlyMap<string, RecordKey>) => Partial<StorageAdapter>,
  ): Mutant['wrap'] =>
  (adapter) => {
    const keys = new Map<string, RecordKey>();
    const store = override(adapter, {
      commit: async (writes) => {
        for (const write of writes) if ('record' in write) keys.set(mapKey(write.record), write.record);
        return adapter.commit(writes);
      },
    });
    return override(store, members(adapter, keys));
  };

const removeAll = (keys: Iterable<RecordKey>): readonly Write[] => [...keys].map((key) => ({ type: 'remove', key }));

export const housekeepingMutants: readonly Mutant[] = [
  {
    name: 'sweeps-the-consumed',
    breaks: 'sweep-removes-only-the-expired',
    wrap: remembering((adapter, keys) => ({
      sweep: async (limit) => {
        const found = (await adapter.read([...keys.values()])).filter((record) => record?.consumedAt) as FoundRecord[];
        await adapter.commit(removeAll(found));
        return adapter.sweep(limit);
      },
    })),
  },
  {
    name: 'sweeps-what-never-expires',
    breaks: 'sweep-removes-only-the-expired',
    wrap: remembering((adapter, keys) => ({
      sweep: async (limit) => {
        const found = (await adapter.read([...keys.values()])).filter(
          (record) => record?.expiresAt === null,
        ) as FoundRecord[];
        await adapter.commit(removeAll(found));
        return adapter.sweep(limit);
      },
    })),
  },
  {
    name: 'sweeps-without-a-limit',
    breaks: 'sweep-stops-at-its-limit',
    wrap: (adapter) => override(adapter, { sweep: () => adapter.sweep(1_000_000) }),
  },
  {
    name: 'counts-what-it-was-allowed',
    breaks: 'sweep-counts-what-it-removes',
    wrap: (adapter) => override(adapter, { sweep: async (limit) => ((await adapter.sweep(limit)) > 0 ? limit : 0) }),
  },
  {
    name: 'sweeps-once-and-is-done',
    breaks: 'sweep-counts-what-it-removes',
    wrap: (adapter) => {
      let hasSwept = false;
      return override(adapter, {
        sweep: async (limit) => {
          const swept = hasSwept ? 0 : await adapter.sweep(limit);
          hasSwept = swept > 0;
          return swept;
        },
      });
    },
  },
  {
    name: 'is-never-fit-for-use',
    breaks: 'ping-answers',
    wrap: (adapter) => override(adapter, { ping: () => Promise.reject(new Error('noeviction is not set')) }),
  },
  {
    name: 'answers-after-close',
    breaks: 'close-ends-it',
    wrap: (adapter) => override(adapter, { close: async () => undefined }),
  },
  {
    name: 'pings-after-close',
    breaks: 'close-ends-it',
    wrap: (adapter) => override(adapter, { ping: async () => undefined }),
  },
  {
    name: 'leaves-a-capability-out',
    breaks: 'capabilities-are-declared',
    wrap: (adapter) =>
      override(adapter, { capabilities: { ...adapter.capabilities, shared: undefined as unknown as boolean } }),
  },
];

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

export const sharingMutants: readonly Mutant[] = [
  {
    name: 'reads-from-a-cache-of-its-own',
    breaks: 'shared-commits-are-seen-by-all',
    wrap: (adapter) => {
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
  {
    name: 'locks-in-the-process',
    breaks: 'one-of-fifty-shared-callers-wins',
    wrap: (adapter) =>
      withLock(adapter, async (write) => {
        if (write.type !== 'claim') return adapter.commit([write]);
        if (await readOne(adapter, write.record)) return { write, reason: 'exists' };
        await turn();
        return adapter.commit([{ type: 'put', record: write.record }]);
      }),
  },
  {
    name: 'forgets-at-close',
    breaks: 'durable-commits-survive-close',
    wrap: remembering((adapter, keys) => ({
      close: async () => {
        await adapter.commit(removeAll(keys.values()));
        await adapter.close();
      },
    })),
  },
];
