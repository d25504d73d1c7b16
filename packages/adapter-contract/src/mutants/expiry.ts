import type { StorageAdapter, StoredRecord } from '../port.ts';
import {
  type Mutant,
  mapKey,
  override,
  readOne,
  replacing,
  restore,
  withAnswers,
  withRecords,
  withWrites,
} from './mutant.ts';

/** The record stored with an expiry moved by some milliseconds, and given back with the right one. */
const shifted =
  (milliseconds: number): Mutant['wrap'] =>
  (adapter) => {
    const moved = (date: Date | null, by: number) => date && new Date(date.getTime() + by);
    // The last date there is can't be moved.
    const isMovable = (date: Date | null) => date !== null && date.getUTCFullYear() < 9000;
    const store = ({ expiresAt, ...rest }: StoredRecord) => ({
      ...rest,
      expiresAt: isMovable(expiresAt) ? moved(expiresAt, milliseconds) : expiresAt,
    });
    return withAnswers(withRecords(adapter, store), (found) => ({
      ...found,
      expiresAt: isMovable(found.expiresAt) ? moved(found.expiresAt, -milliseconds) : found.expiresAt,
    }));
  };

/** Nothing expires underneath; the expiry given is remembered beside it. */
const withoutExpiry = (adapter: StorageAdapter) => {
  const given = new Map<string, Date | null>();
  const store = withRecords(adapter, (record) => {
    given.set(mapKey(record), record.expiresAt);
    return { ...record, expiresAt: null };
  });
  const expiryOf = (key: Parameters<typeof mapKey>[0]) => given.get(mapKey(key)) ?? null;
  return { store, expiryOf };
};

const isOver = (date: Date | null): boolean => date !== null && date.getTime() <= Date.now();

/** A change that rewrites the record, and forgets its expiry. */
const droppingExpiry = (type: 'consume' | 'merge'): Mutant['wrap'] =>
  replacing(type, async (adapter, write) => {
    const before = await readOne(adapter, write.key);
    return adapter.commit([...(before ? restore(write.key, { ...before, expiresAt: null }) : []), write]);
  });

export const expiryMutants: readonly Mutant[] = [
  {
    name: 'expires-at-the-sweep-alone',
    breaks: 'expired-is-absent-at-read',
    wrap: (adapter) => {
      const { store, expiryOf } = withoutExpiry(adapter);
      return withAnswers(store, (found) => ({ ...found, expiresAt: expiryOf(found) }));
    },
  },
  { name: 'expires-20-ms-late', breaks: 'expiry-is-exact', wrap: shifted(20) },
  { name: 'expires-20-ms-early', breaks: 'expiry-is-exact', wrap: shifted(-20) },
  {
    name: 'expires-after-its-instant',
    breaks: 'expiry-is-exact',
    wrap: shifted(1),
  },
  {
    name: 'stores-expiry-in-seconds',
    breaks: 'expiry-is-kept-to-the-millisecond',
    wrap: (adapter) =>
      withRecords(adapter, (record) => ({
        ...record,
        expiresAt: record.expiresAt && new Date(Math.ceil(record.expiresAt.getTime() / 1000) * 1000),
      })),
  },
  {
    name: 'stores-expiry-in-32-bits',
    breaks: 'expiry-is-kept-to-the-millisecond',
    wrap: (adapter) =>
      withRecords(adapter, (record) => ({
        ...record,
        expiresAt: record.expiresAt && new Date(Math.min(record.expiresAt.getTime(), 0x7f_ff_ff_ff * 1000)),
      })),
  },
  {
    name: 'takes-never-for-a-year',
    breaks: 'expiry-is-kept-to-the-millisecond',
    wrap: (adapter) =>
      withRecords(adapter, (record) => ({
        ...record,
        expiresAt: record.expiresAt ?? new Date(Date.now() + 31_536_000_000),
      })),
  },
  {
    name: 'takes-the-epoch-for-never',
    breaks: 'born-expired-is-absent',
    wrap: (adapter) =>
      withRecords(adapter, (record) => ({
        ...record,
        expiresAt: record.expiresAt?.getTime() ? record.expiresAt : null,
      })),
  },
  {
    name: 'skips-what-is-born-expired',
    breaks: 'born-expired-is-absent',
    wrap: (adapter) =>
      withWrites(adapter, (write) => ('record' in write && isOver(write.record.expiresAt) ? [] : write)),
  },
  {
    name: 'fails-on-what-is-born-expired',
    breaks: 'born-expired-is-absent',
    wrap: (adapter) =>
      withRecords(adapter, (record) => {
        if (isOver(record.expiresAt)) throw new Error("ERR invalid expire time in 'psetex' command");
        return record;
      }),
  },
  {
    name: 'hides-the-expired-from-reads-alone',
    breaks: 'expired-is-absent-to-writes',
    wrap: (adapter) => {
      const { store, expiryOf } = withoutExpiry(adapter);
      return withAnswers(store, (found) =>
        isOver(expiryOf(found)) ? undefined : { ...found, expiresAt: expiryOf(found) },
      );
    },
  },
  {
    name: 'claims-for-ever',
    breaks: 'claim-after-expiry-wins',
    wrap: (adapter) => {
      const claimed = new Set<string>();
      return override(adapter, {
        commit: async (writes) => {
          for (const write of writes) {
            if (write.type === 'claim' && claimed.has(mapKey(write.record))) return { write, reason: 'exists' };
            if (write.type === 'claim') claimed.add(mapKey(write.record));
            if (write.type === 'remove') claimed.delete(mapKey(write.key));
          }
          return adapter.commit(writes);
        },
      });
    },
  },
  {
    name: 'keeps-members-beyond-expiry',
    breaks: 'nothing-outlives-expiry',
    wrap: (adapter) => {
      const sets = new Map<string, Set<string>>();
      const store = withWrites(adapter, (write) => {
        if (write.type === 'put') sets.delete(mapKey(write.record));
        if (write.type === 'remove') sets.delete(mapKey(write.key));
        if (write.type !== 'merge') return write;
        const set = sets.get(mapKey(write.key)) ?? new Set();
        sets.set(mapKey(write.key), new Set([...set, ...write.members]));
        return write;
      });
      return withAnswers(store, (found) => ({ ...found, members: [...(sets.get(mapKey(found)) ?? found.members)] }));
    },
  },
  {
    name: 'never-extends-an-expiry',
    breaks: 'put-replaces-the-expiry',
    wrap: (adapter) => {
      const first = new Map<string, Date | null>();
      return withRecords(adapter, (record) => {
        const key = mapKey(record);
        if (!first.has(key)) first.set(key, record.expiresAt);
        const expiresAt = first.get(key) ?? null;
        return { ...record, expiresAt: isOver(record.expiresAt) ? record.expiresAt : expiresAt };
      });
    },
  },
  {
    name: 'merge-drops-the-expiry',
    breaks: 'changes-keep-the-expiry',
    wrap: droppingExpiry('merge'),
  },
  {
    name: 'consume-drops-the-expiry',
    breaks: 'changes-keep-the-expiry',
    wrap: droppingExpiry('consume'),
  },
];
