import type { FoundRecord, StoredRecord } from '@carnet/adapter-contract';
import { LRUCache } from 'lru-cache';
import { type ClientRecord, fromStoredRecord, type OpenResource } from './client-record.ts';

interface Entry {
  readonly record: ClientRecord;
  readonly payload: string;
  /** When the entry was last known to be equal to the stored record, in milliseconds. */
  checkedAt: number;
}

/** The time and the version of the cache when a read or a write began. */
export interface Moment {
  readonly version: number;
  readonly at: number;
}

/** The parsed clients in memory. Law: a read that overlaps a write of this process is never kept. */
export interface ClientCache {
  /** The client, if its entry is younger than `maxAgeMs`. */
  get(id: string, maxAgeMs: number): ClientRecord | undefined;
  /** Call it before the read. */
  beginRead(): Moment;
  /** The record of a read: the same object as before if the text is the same. `scan`: keep it only if there is room. */
  intern(found: FoundRecord, moment: Moment, scan?: 'scan'): ClientRecord;
  /** A read has found no client. */
  forget(id: string, moment: Moment): void;
  beginWrite(): Moment;
  /** A write has ended. `written` is the stored record. Undefined: none, or it is unknown. */
  endWrite(id: string, moment: Moment, written: StoredRecord | undefined): void;
  parses(): number;
}

export interface ClientCacheOptions {
  readonly maxEntries: number;
  /**
   * The total length of the cached records. Limited, because self-registered clients choose the length of theirs. Default
   * 32 million.
   */
  readonly maxCharacters?: number;
  /** The resources that the configuration opens to every client. */
  readonly openResources?: readonly OpenResource[];
  readonly now: () => number;
}

const lengthOf = ({ payload }: Entry): number => payload.length;

export const createClientCache = (options: ClientCacheOptions): ClientCache => {
  const { maxEntries, maxCharacters = 32_000_000, openResources: open = [], now } = options;
  const entries = new LRUCache<string, Entry>({ maxSize: maxCharacters, sizeCalculation: lengthOf });
  /** Changes when a write begins, and when it ends. */
  let version = 0;
  let parses = 0;

  /** Whether no write and no later read is known. */
  const isLatest = (moment: Moment, cached: Entry | undefined): boolean =>
    moment.version === version && (cached === undefined || cached.checkedAt <= moment.at);

  const parse = (found: Pick<FoundRecord, 'id' | 'payload'>): ClientRecord => {
    parses++;
    return { ...fromStoredRecord(found), open };
  };

  const keep = (record: ClientRecord, payload: string, checkedAt: number): void => {
    entries.set(record.id, { record, payload, checkedAt });
    // The option `max` allocates the memory of all entries at once.
    if (entries.size > maxEntries) entries.pop();
  };

  return {
    get: (id, maxAgeMs) => {
      const entry = entries.get(id);
      return entry !== undefined && now() - entry.checkedAt < maxAgeMs ? entry.record : undefined;
    },
    beginRead: () => ({ version, at: now() }),
    intern: (found, moment, scan) => {
      const cached = entries.peek(found.clientId ?? '');
      if (cached?.payload === found.payload) {
        if (isLatest(moment, cached)) cached.checkedAt = moment.at;
        return cached.record;
      }
      const record = parse(found);
      const isRoomy = entries.size < maxEntries && entries.calculatedSize + found.payload.length <= maxCharacters;
      if ((scan === undefined || cached !== undefined || isRoomy) && isLatest(moment, cached)) {
        keep(record, found.payload, moment.at);
      }
      return record;
    },
    forget: (id, moment) => {
      if (moment.version === version) entries.delete(id);
    },
    beginWrite: () => ({ version: ++version, at: now() }),
    endWrite: (id, moment, written) => {
      const cached = entries.peek(id);
      // If another write began or ended meanwhile, only the store knows which was the last.
      const isLast = moment.version === version;
      version++;
      if (written === undefined || !isLast) entries.delete(id);
      else if (cached?.payload === written.payload) cached.checkedAt = now();
      else keep(parse(written), written.payload, now());
    },
    parses: () => parses,
  };
};
