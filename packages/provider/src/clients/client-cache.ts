import type { FoundRecord, StoredRecord } from '@carnet/adapter-contract';
import { LRUCache } from 'lru-cache';
import { type ClientRecord, fromStoredRecord, type OpenResource } from './client-record.ts';

interface Entry {
  readonly record: ClientRecord;
  readonly payload: string;
  /** When it was known to be what is stored, in milliseconds. */
  checkedAt: number;
}

/** The state of affairs when a read or a write began. */
export interface Moment {
  readonly version: number;
  readonly at: number;
}

/** The clients in memory, parsed. Law: nothing that was read across a write of this process is kept. */
export interface ClientCache {
  /** What is kept of a client, if it is younger than `maxAgeMs`. */
  get(id: string, maxAgeMs: number): ClientRecord | undefined;
  /** To be called before the store is asked. */
  beginRead(): Moment;
  /** The record of what was read: the same object as before if it is the same text. `scan`: keep it only where there is room. */
  intern(found: FoundRecord, moment: Moment, scan?: 'scan'): ClientRecord;
  /** A read has found nothing. */
  forget(id: string, moment: Moment): void;
  beginWrite(): Moment;
  /** A write has ended. `written` is what is stored now; `undefined`: nothing, or nobody knows. */
  endWrite(id: string, moment: Moment, written: StoredRecord | undefined): void;
  readonly parses: number;
}

export interface ClientCacheOptions {
  readonly maxEntries: number;
  /** Of the clients' stored texts together: where clients register themselves, strangers say how long each is. Default 32 million. */
  readonly maxCharacters?: number;
  /** The resources that the configuration opens to every client. */
  readonly openResources?: readonly OpenResource[];
  readonly now: () => number;
}

export const createClientCache = (options: ClientCacheOptions): ClientCache => {
  const { maxEntries, maxCharacters = 32_000_000, openResources: open = [], now } = options;
  const entries = new LRUCache<string, Entry>({
    max: maxEntries,
    maxSize: maxCharacters,
    sizeCalculation: ({ payload }) => payload.length,
  });
  /** Changes when a write begins and when it ends. */
  let version = 0;
  let parses = 0;

  /** Neither has anything been written since, nor is it known from a later read. */
  const isLatest = (moment: Moment, cached: Entry | undefined): boolean =>
    moment.version === version && (cached === undefined || cached.checkedAt <= moment.at);

  const parse = (found: Pick<FoundRecord, 'id' | 'payload'>): ClientRecord => {
    parses++;
    const record = fromStoredRecord(found);
    return open.length === 0 ? record : { ...record, open };
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
        entries.set(record.id, { record, payload: found.payload, checkedAt: moment.at });
      }
      return record;
    },
    forget: (id, moment) => {
      if (moment.version === version) entries.delete(id);
    },
    beginWrite: () => {
      version++;
      return { version, at: now() };
    },
    endWrite: (id, moment, written) => {
      const cached = entries.peek(id);
      // When another write began or ended meanwhile, which of them came last only the store knows.
      const isLastWord = moment.version === version;
      version++;
      if (written === undefined || !isLastWord) entries.delete(id);
      else if (cached?.payload === written.payload) cached.checkedAt = now();
      else entries.set(id, { record: parse(written), payload: written.payload, checkedAt: now() });
    },
    get parses() {
      return parses;
    },
  };
};
