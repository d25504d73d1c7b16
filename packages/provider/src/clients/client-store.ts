import type { Conflict, ListQuery, StorageAdapter, StoredRecord, Write } from '@carnet/adapter-contract';
import { createSerialiser } from '../concurrency/serialiser.ts';
import { createSingleFlight } from '../concurrency/single-flight.ts';
import { CarnetError } from '../errors.ts';
import { createClientCache } from './client-cache.ts';
import { type ClientRecord, clientKey, type OpenResource, toStoredRecord } from './client-record.ts';

export interface ClientStoreOptions {
  readonly adapter: Pick<StorageAdapter, 'capabilities' | 'read' | 'commit' | 'list'>;
  /** Default 10,000. */
  readonly maxEntries?: number;
  /** How old an answer of `find` may be when other processes write to the same store. Default 5. */
  readonly staleSeconds?: number;
  /** The resources that the configuration opens to every client. Default: none. */
  readonly openResources?: readonly OpenResource[];
  /** Milliseconds, monotonic. Default `performance.now`. */
  readonly now?: () => number;
}

export interface ClientPage {
  readonly records: readonly ClientRecord[];
  /** Where the next page starts; absent on the last one. */
  readonly next?: string;
}

/** Law: while what is stored for a client is the same text and it is in use, every answer holds the same `ClientRecord` object. */
export interface ClientStore {
  /** From memory, at most `staleSeconds` old; never older than a write of this process. */
  find(id: string): Promise<ClientRecord | undefined>;
  /** As it is in the store now. */
  findFresh(id: string): Promise<ClientRecord | undefined>;
  /**
   * With `also` in the same commit: the use of a token that counts once.
   * @throws CarnetError `conflict` when the id is taken, `unauthorized` when `also` can not be carried out
   */
  create(record: ClientRecord, also?: readonly Write[]): Promise<void>;
  /** @throws CarnetError `not_found` */
  replace(record: ClientRecord): Promise<void>;
  /**
   * Replace by what `change` makes of the record as it is now. Changes of one client wait for each other in this
   * process; between processes the last one wins.
   * @throws CarnetError `not_found`
   */
  update(id: string, change: (record: ClientRecord) => ClientRecord | Promise<ClientRecord>): Promise<ClientRecord>;
  /** @throws CarnetError `not_found` */
  remove(id: string): Promise<void>;
  list(query: Pick<ListQuery, 'limit' | 'after'>): Promise<ClientPage>;
  stats(): ClientStoreStats;
}

export interface ClientStoreStats {
  /** Calls of the adapter's `read`. */
  readonly reads: number;
  /** Payloads parsed. */
  readonly parses: number;
  /** Answers from memory. */
  readonly hits: number;
}

// Without a description: so Hydra answers, and the error says it all.
const notFound = (): CarnetError => new CarnetError('not_found', '');

const taken = (): CarnetError => new CarnetError('conflict', 'A client with this id is registered already.');

const spent = (): CarnetError => new CarnetError('unauthorized', 'The access token was used.');

const writes = {
  create: { toWrite: (record: StoredRecord): Write => ({ type: 'claim', record }), refused: taken },
  replace: {
    toWrite: (record: StoredRecord): Write => ({ type: 'put', record, onlyIfPresent: true }),
    refused: notFound,
  },
} as const;

/** The clients, of which those in use are kept parsed. What does not exist is asked for again each time. */
export const createClientStore = (options: ClientStoreOptions): ClientStore => {
  const { adapter, maxEntries = 10_000, staleSeconds = 5, openResources, now = () => performance.now() } = options;
  const cache = createClientCache({ maxEntries, openResources, now });
  const maxAgeMs = adapter.capabilities.shared ? staleSeconds * 1000 : Number.POSITIVE_INFINITY;
  const oneByOne = createSerialiser();
  const counts = { reads: 0, hits: 0 };

  const reads = createSingleFlight(async (id: string): Promise<ClientRecord | undefined> => {
    const moment = cache.beginRead();
    counts.reads++;
    const [found] = await adapter.read([clientKey(id)]);
    if (found !== undefined) return cache.intern(found, moment);
    cache.forget(id, moment);
    return undefined;
  });

  const lists = createSingleFlight(async (query: string): Promise<ClientPage> => {
    const moment = cache.beginRead();
    const page = await adapter.list({ kind: 'client', ...(JSON.parse(query) as Pick<ListQuery, 'limit' | 'after'>) });
    return { records: page.records.map((found) => cache.intern(found, moment, 'scan')), next: page.next };
  });

  const commit = async (
    id: string,
    changes: readonly Write[],
    refused: (conflict: Conflict) => CarnetError,
    record?: StoredRecord,
  ): Promise<void> => {
    const moment = cache.beginWrite();
    let written: StoredRecord | undefined;
    try {
      const conflict = await adapter.commit(changes);
      if (conflict !== undefined) throw refused(conflict);
      written = record;
    } finally {
      cache.endWrite(id, moment, written);
      // A read that began before the write's end must not answer a question that is asked after it.
      reads.forget(id);
    }
  };

  const store = (how: keyof typeof writes, record: ClientRecord, also: readonly Write[] = []): Promise<void> => {
    const stored = toStoredRecord(record);
    const { toWrite, refused } = writes[how];
    const isAlso = ({ write }: Conflict): boolean => write.type === 'consume';
    return commit(
      record.id,
      [...also, toWrite(stored)],
      (conflict) => (isAlso(conflict) ? spent() : refused()),
      stored,
    );
  };

  const current = async (id: string): Promise<ClientRecord> => {
    const record = await reads.fresh(id);
    if (record === undefined) throw notFound();
    return record;
  };

  return {
    find: async (id) => {
      const kept = cache.get(id, maxAgeMs);
      if (kept === undefined) return reads.running(id);
      counts.hits++;
      return kept;
    },
    findFresh: (id) => reads.fresh(id),
    create: (record, also) => store('create', record, also),
    replace: (record) => store('replace', record),
    update: (id, change) =>
      oneByOne(id, async () => {
        const changed = await change(await current(id));
        await store('replace', changed);
        return changed;
      }),
    remove: (id) =>
      oneByOne(id, async () => {
        await current(id);
        await commit(id, [{ type: 'remove', key: clientKey(id) }], notFound);
      }),
    list: ({ limit, after }) => lists.fresh(JSON.stringify({ limit, after })),
    stats: () => ({ ...counts, parses: cache.parses }),
  };
};
