import {
  type ListQuery,
  mostLeftCounted,
  type Page,
  placeOf,
  type ScanQuery,
  type StorageAdapter,
  type Swept,
} from '@carnet/adapter-contract';
import { prepareCommit } from './commit.ts';
import { type Entry, entryKey, isLive, toFound } from './entry.ts';
import { createExpiryQueue, type Due } from './expiry-queue.ts';
import { createIndexes } from './indexes.ts';

export interface MemoryAdapterOptions {
  /** The clock, in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
}

/** The records, their indexes and their expiry, kept in step. */
const createTable = () => {
  const entries = new Map<string, Entry>();
  const indexes = createIndexes();
  const queue = createExpiryQueue();

  function* dues() {
    for (const [key, { expiresAt }] of entries) if (expiresAt !== null) yield { at: expiresAt, key };
  }

  const set = (key: string, after: Entry | undefined) => {
    const before = entries.get(key);
    indexes.move(key, before, after);
    if (after === undefined) {
      entries.delete(key);
      return;
    }
    entries.set(key, after);
    if (after.expiresAt === null || after.expiresAt === before?.expiresAt) return;
    queue.add({ at: after.expiresAt, key });
    // Replaced records leave their old expiry behind; before those are most of the queue, it is built anew.
    if (queue.size > 1_000 + 2 * entries.size) queue.rebuild(dues());
  };

  return { entries, indexes, queue, set };
};

type Table = ReturnType<typeof createTable>;

const firstAfter = (sorted: readonly string[], key: string): number => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as string) > key) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** The cursor is the last id of the previous page, so that inserts and removals in between do not shift the next page. */
const listPage = ({ entries, indexes }: Table, query: ListQuery, now: number): Page => {
  const { kind, limit, after } = query;
  const keys = indexes.ofList(query);
  const found: Entry[] = [];
  for (let i = after === undefined ? 0 : firstAfter(keys, entryKey({ kind, id: after })); i < keys.length; i++) {
    const entry = entries.get(keys[i] as string);
    if (entry === undefined || !isLive(entry, now)) continue;
    // One more than the page holds: there is a next one.
    if (found.length === limit) return { records: found.map(toFound), next: found.at(-1)?.record.id };
    found.push(entry);
  }
  return { records: found.map(toFound) };
};

/** In the order of the keys, which are sorted for each page: only tests and tools scan this store. */
const scanPage = ({ entries }: Table, { limit, after = '', prefix = '' }: ScanQuery, now: number): Page => {
  const found = [...entries]
    .filter(([key, entry]) => key > after && placeOf(entry.record).startsWith(prefix) && isLive(entry, now))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const records = found.slice(0, limit).map(([, entry]) => toFound(entry));
  return { records, next: found.length > limit ? found[limit - 1]?.[0] : undefined };
};

/** The next key to fall due whose record has expired; what was replaced or removed since is forgotten on the way. */
const takeExpired = ({ entries, queue }: Table, now: number): Due | undefined => {
  for (let due = queue.takeDue(now); due !== undefined; due = queue.takeDue(now)) {
    const entry = entries.get(due.key);
    if (entry !== undefined && !isLive(entry, now)) return due;
  }
  return undefined;
};

/** Taken and put back: a key that is due more than once is counted once, and stays in the queue once. */
const countExpired = (table: Table, now: number): number => {
  const expired = new Map<string, Due>();
  while (expired.size < mostLeftCounted) {
    const due = takeExpired(table, now);
    if (due === undefined) break;
    expired.set(due.key, due);
  }
  for (const due of expired.values()) table.queue.add(due);
  return expired.size;
};

const sweepTable = (table: Table, limit: number, now: number): Swept => {
  let removed = 0;
  for (; removed < limit; removed++) {
    const due = takeExpired(table, now);
    if (due === undefined) break;
    table.set(due.key, undefined);
  }
  return { removed, left: countExpired(table, now) };
};

/**
 * The storage port in this process's memory: the reference implementation. A commit is one synchronous step, hence
 * atomic. Calls after `close` reject.
 */
export const openMemoryAdapter = ({ now = Date.now }: MemoryAdapterOptions = {}): StorageAdapter => {
  const table = createTable();
  let closed = false;
  const assertOpen = () => {
    if (closed) throw new Error('The memory store is closed.');
  };
  return {
    capabilities: { atomicCommit: 'all', shared: false, durable: false, neverRevives: true },
    async read(keys) {
      assertOpen();
      const instant = now();
      return keys.map((key) => {
        const entry = table.entries.get(entryKey(key));
        return entry !== undefined && isLive(entry, instant) ? toFound(entry) : undefined;
      });
    },
    async commit(writes) {
      assertOpen();
      const base = { now: now(), get: (key: string) => table.entries.get(key), keysOfGrant: table.indexes.ofGrant };
      const { conflict, changes } = prepareCommit(base, writes);
      for (const [key, entry] of changes ?? []) table.set(key, entry);
      return conflict;
    },
    async list(query) {
      assertOpen();
      return listPage(table, query, now());
    },
    async scan(query) {
      assertOpen();
      return scanPage(table, query, now());
    },
    async sweep(limit) {
      assertOpen();
      return sweepTable(table, limit, now());
    },
    async ping() {
      assertOpen();
    },
    async close() {
      closed = true;
    },
  };
};
