import type { FoundRecord, StoredRecord, Swept } from '../port.ts';
import { type Mutant, mapKey, override, remembering, removeAll, withWrites } from './mutant.ts';

/** A sweep that is right but for what it says. */
const sweeping =
  (say: (swept: Swept, limit: number) => Swept): Mutant['wrap'] =>
  (adapter) =>
    override(adapter, { sweep: async (limit) => say(await adapter.sweep(limit), limit) });

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
    name: 'sweeps-by-the-first-expiry',
    breaks: 'sweep-removes-only-the-expired',
    wrap: (adapter) => {
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
  {
    name: 'sweeps-without-a-limit',
    breaks: 'sweep-stops-at-its-limit',
    wrap: (adapter) => override(adapter, { sweep: () => adapter.sweep(1_000_000) }),
  },
  {
    name: 'counts-what-it-was-allowed',
    breaks: 'sweep-counts-what-it-removes',
    wrap: sweeping(({ removed, left }, limit) => ({ removed: removed > 0 ? limit : 0, left })),
  },
  {
    name: 'sweeps-once-and-is-done',
    breaks: 'sweep-counts-what-it-removes',
    wrap: (adapter) => {
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
  {
    name: 'says-that-nothing-is-left',
    breaks: 'sweep-counts-what-is-left',
    wrap: sweeping(({ removed }) => ({ removed, left: 0 })),
  },
  {
    name: 'counts-before-it-removes',
    breaks: 'sweep-counts-what-is-left',
    wrap: sweeping(({ removed, left }) => ({ removed, left: Math.min(10_000, removed + left) })),
  },
  {
    name: 'counts-up-to-its-limit',
    breaks: 'sweep-counts-what-is-left',
    wrap: sweeping(({ removed, left }, limit) => ({ removed, left: Math.min(limit, left) })),
  },
  {
    name: 'counts-up-to-a-thousand',
    breaks: 'sweep-counts-up-to-ten-thousand',
    wrap: sweeping(({ removed, left }) => ({ removed, left: Math.min(1_000, left) })),
  },
  {
    name: 'counts-all-there-is',
    breaks: 'sweep-counts-up-to-ten-thousand',
    wrap: sweeping(({ removed, left }) => ({ removed, left: left === 10_000 ? 10_499 : left })),
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
