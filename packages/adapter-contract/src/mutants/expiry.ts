import type { StorageAdapter, StoredRecord } from '../port.ts';
import {
  type Mutant,
  mapKey,
  mutantsOf,
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
export const withoutExpiry = (adapter: StorageAdapter) => {
  const given = new Map<string, Date | null>();
  const store = withRecords(adapter, (record) => {
    given.set(mapKey(record), record.expiresAt);
    return { ...record, expiresAt: null };
  });
  const expiryOf = (key: Parameters<typeof mapKey>[0]) => given.get(mapKey(key)) ?? null;
  return { store, expiryOf };
};

export const isOver = (date: Date | null): boolean => date !== null && date.getTime() <= Date.now();

/** Every record is stored with the expiry that `change` makes of the given one. */
const storingExpiry =
  (change: (expiresAt: Date | null) => Date | null): Mutant['wrap'] =>
  (adapter) =>
    withRecords(adapter, (record) => ({ ...record, expiresAt: change(record.expiresAt) }));

/** A change that rewrites the record, and forgets its expiry. */
const droppingExpiry = (type: 'consume' | 'merge'): Mutant['wrap'] =>
  replacing(type, async (adapter, write) => {
    const before = await readOne(adapter, write.key);
    return adapter.commit([...(before ? restore(write.key, { ...before, expiresAt: null }) : []), write]);
  });

export const expiryMutants = mutantsOf({
  'expired-is-absent-at-read': {
    'expires-at-the-sweep-alone': (adapter) => {
      const { store, expiryOf } = withoutExpiry(adapter);
      return withAnswers(store, (found) => ({ ...found, expiresAt: expiryOf(found) }));
    },
  },
  'expiry-is-exact': {
    'expires-20-ms-late': shifted(20),
    'expires-20-ms-early': shifted(-20),
    'expires-after-its-instant': shifted(1),
  },
  'expiry-is-kept-to-the-millisecond': {
    'stores-expiry-in-seconds': storingExpiry((date) => date && new Date(Math.ceil(date.getTime() / 1000) * 1000)),
    'stores-expiry-in-32-bits': storingExpiry(
      (date) => date && new Date(Math.min(date.getTime(), 0x7f_ff_ff_ff * 1000)),
    ),
    'takes-never-for-a-year': storingExpiry((date) => date ?? new Date(Date.now() + 31_536_000_000)),
  },
  'born-expired-is-absent': {
    'takes-the-epoch-for-never': storingExpiry((date) => (date?.getTime() ? date : null)),
    'skips-what-is-born-expired': (adapter) =>
      withWrites(adapter, (write) => ('record' in write && isOver(write.record.expiresAt) ? [] : write)),
    'fails-on-what-is-born-expired': (adapter) =>
      withRecords(adapter, (record) => {
        if (isOver(record.expiresAt)) throw new Error("ERR invalid expire time in 'psetex' command");
        return record;
      }),
  },
  'expired-is-absent-to-writes': {
    'hides-the-expired-from-reads-alone': (adapter) => {
      const { store, expiryOf } = withoutExpiry(adapter);
      return withAnswers(store, (found) =>
        isOver(expiryOf(found)) ? undefined : { ...found, expiresAt: expiryOf(found) },
      );
    },
  },
  'claim-after-expiry-wins': {
    'claims-for-ever': (adapter) => {
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
  'nothing-outlives-expiry': {
    'keeps-members-beyond-expiry': (adapter) => {
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
  'put-replaces-the-expiry': {
    'never-extends-an-expiry': (adapter) => {
      const first = new Map<string, Date | null>();
      return withRecords(adapter, (record) => {
        const key = mapKey(record);
        if (!first.has(key)) first.set(key, record.expiresAt);
        const expiresAt = first.get(key) ?? null;
        return { ...record, expiresAt: isOver(record.expiresAt) ? record.expiresAt : expiresAt };
      });
    },
  },
  'changes-keep-the-expiry': {
    'merge-drops-the-expiry': droppingExpiry('merge'),
    'consume-drops-the-expiry': droppingExpiry('consume'),
  },
});
