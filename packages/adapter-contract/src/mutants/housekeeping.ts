import type { FoundRecord, StoredRecord, Swept } from '../port.ts';
import { type Mutant, mapKey, mutantsOf, override, remembering, removeAll, withWrites } from './mutant.ts';

/** A sweep that is right but for what it says. */
const sweeping =
  (say: (swept: Swept, limit: number) => Swept): Mutant['wrap'] =>
  (adapter) =>
    override(adapter, { sweep: async (limit) => say(await adapter.sweep(limit), limit) });

/** A sweep that removes live records, too. */
const sweepingToo = (isSwept: (record: FoundRecord) => boolean): Mutant['wrap'] =>
  remembering((adapter, keys) => ({
    sweep: async (limit) => {
      const found = (await adapter.read([...keys.values()])).filter((record) => record !== undefined);
      await adapter.commit(removeAll(found.filter(isSwept)));
      return adapter.sweep(limit);
    },
  }));

export const housekeepingMutants = mutantsOf({
  'sweep-removes-only-the-expired': {
    'sweeps-the-consumed': sweepingToo(({ consumedAt }) => consumedAt !== null),
    'sweeps-what-never-expires': sweepingToo(({ expiresAt }) => expiresAt === null),
    'sweeps-by-the-first-expiry': (adapter) => {
      const first = new Map<string, StoredRecord>();
      const store = withWrites(adapter, (write) => {
        if ('record' in write && !first.has(mapKey(write.record))) first.set(mapKey(write.record), write.record);
        return write;
      });
      return override(store, {
        sweep: async (limit) => {
          const due = [...first.values()].filter(({ expiresAt }) => expiresAt && expiresAt.getTime() <= Date.now());
          await adapter.commit(removeAll(due));
          return adapter.sweep(limit);
        },
      });
    },
  },
  'sweep-stops-at-its-limit': {
    'sweeps-without-a-limit': (adapter) => override(adapter, { sweep: () => adapter.sweep(1_000_000) }),
  },
  'sweep-counts-what-it-removes': {
    'counts-what-it-was-allowed': sweeping(({ removed, left }, limit) => ({ removed: removed > 0 ? limit : 0, left })),
    'sweeps-once-and-is-done': (adapter) => {
      let hasSwept = false;
      return override(adapter, {
        sweep: async (limit) => {
          const swept = hasSwept ? { removed: 0, left: 0 } : await adapter.sweep(limit);
          hasSwept = swept.removed > 0;
          return swept;
        },
      });
    },
  },
  'sweep-counts-what-is-left': {
    'says-that-nothing-is-left': sweeping(({ removed }) => ({ removed, left: 0 })),
    'counts-before-it-removes': sweeping(({ removed, left }) => ({ removed, left: Math.min(10_000, removed + left) })),
    'counts-up-to-its-limit': sweeping(({ removed, left }, limit) => ({ removed, left: Math.min(limit, left) })),
  },
  'sweep-counts-up-to-ten-thousand': {
    'counts-up-to-a-thousand': sweeping(({ removed, left }) => ({ removed, left: Math.min(1_000, left) })),
    'counts-all-there-is': sweeping(({ removed, left }) => ({ removed, left: left === 10_000 ? 10_499 : left })),
  },
  'ping-answers': {
    'is-never-fit-for-use': (adapter) =>
      override(adapter, { ping: () => Promise.reject(new Error('noeviction is not set')) }),
  },
  'close-ends-it': {
    'answers-after-close': (adapter) => override(adapter, { close: async () => undefined }),
    'scans-after-close': (adapter) => override(adapter, { scan: async () => ({ records: [] }) }),
    'pings-after-close': (adapter) => override(adapter, { ping: async () => undefined }),
  },
  'capabilities-are-declared': {
    'leaves-a-capability-out': (adapter) =>
      override(adapter, { capabilities: { ...adapter.capabilities, shared: undefined as unknown as boolean } }),
  },
});
