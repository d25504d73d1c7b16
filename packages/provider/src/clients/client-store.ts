import type { Conflict, ListQuery, StorageAdapter, StoredRecord, Write } from '@carnet/adapter-contract';
import { createSerialiser, createSingleFlight, type SingleFlight } from '@carnet/adapter-contract/kit';
import { CarnetError } from '../errors.ts';
import { type ClientCache, createClientCache } from './client-cache.ts';
import { type ClientRecord, clientKey, type OpenResource, toStoredRecord } from './client-record.ts';

export interface ClientStoreOptions {
  readonly adapter: Pick<StorageAdapter, 'capabilities' | 'read' | 'commit' | 'list'>;
  /** Default 10,000. */
  readonly maxEntries?: number;
  /** The maximum age of an answer of `find` while other processes may write to the same store. Default 5. */
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

/** Law: while the stored text of a client in use stays the same, every answer has the same `ClientRecord` object. */
export interface ClientStore {
  /** From memory, at most `staleSeconds` old. Never older than a write of this process. */
  find(id: string): Promise<ClientRecord | undefined>;
  /** From the store. */
  findFresh(id: string): Promise<ClientRecord | undefined>;
  /**
   * @param also writes of the same commit: the use of a single-use token
   * @throws CarnetError `conflict` when the id is taken, `unauthorized` when `also` conflicts
   */
  create(record: ClientRecord, also?: readonly Write[]): Promise<void>;
  /** @throws CarnetError `not_found` */
  replace(record: ClientRecord): Promise<void>;
  /**
   * Replaces the stored record by the result of `change`. Changes of one client wait for each other in this process. Between
   * processes the last one wins.
   * @throws CarnetError `not_found`
   */
  update(id: string, change: (record: ClientRecord) => ClientRecord | Promise<ClientRecord>): Promise<ClientRecord>;
  /** @throws CarnetError `not_found` */
  remove(id: string): Promise<void>;
  list(query: Pick<ListQuery, 'limit' | 'after'>): Promise<ClientPage>;
  /** The calls of the adapter's `read`, and the payloads parsed. */
  stats(): { readonly reads: number; readonly parses: number };
}

// Without a description, as in Hydra: the error code is enough.
const notFound = (): CarnetError => new CarnetError('not_found', '');

const conflictOf = (action: 'create' | 'replace' | 'remove', { write }: Conflict): CarnetError => {
  if (write.type === 'consume') return new CarnetError('unauthorized', 'The access token was used.');
  return action === 'create' ? new CarnetError('conflict', 'A client with this id is registered already.') : notFound();
};

/** Commits a change of one client, and keeps the cache up to date. */
const createCommit =
  (adapter: ClientStoreOptions['adapter'], cache: ClientCache, reads: Pick<SingleFlight<unknown>, 'forget'>) =>
  async (action: 'create' | 'replace' | 'remove', record: ClientRecord, also: readonly Write[] = []): Promise<void> => {
    const stored = toStoredRecord(record);
    const writes = {
      create: { type: 'claim', record: stored },
      replace: { type: 'put', record: stored, onlyIfPresent: true },
      remove: { type: 'remove', key: clientKey(record.id) },
    } as const;
    const moment = cache.beginWrite();
    let written: StoredRecord | undefined;
    try {
      const conflict = await adapter.commit([...also, writes[action]]);
      if (conflict !== undefined) throw conflictOf(action, conflict);
      if (action !== 'remove') written = stored;
    } finally {
      cache.endWrite(record.id, moment, written);
      // A read that began before the end of the write must not answer a call that comes after it.
      reads.forget(record.id);
    }
  };

/** The clients. Those in use are kept parsed. A client that does not exist is looked up each time. */
export const createClientStore = (options: ClientStoreOptions): ClientStore => {
  const { adapter, maxEntries = 10_000, staleSeconds = 5, openResources, now = () => performance.now() } = options;
  const cache = createClientCache({ maxEntries, openResources, now });
  const maxAgeMs = adapter.capabilities.shared ? staleSeconds * 1000 : Number.POSITIVE_INFINITY;
  const inOrder = createSerialiser();
  let readCount = 0;
  const reads = createSingleFlight(async (id) => {
    const moment = cache.beginRead();
    readCount++;
    const [found] = await adapter.read([clientKey(id)]);
    if (found !== undefined) return cache.intern(found, moment);
    cache.forget(id, moment);
    return undefined;
  });
  const lists = createSingleFlight(async (query): Promise<ClientPage> => {
    const moment = cache.beginRead();
    const page = await adapter.list({ kind: 'client', ...(JSON.parse(query) as Pick<ListQuery, 'limit' | 'after'>) });
    return { records: page.records.map((found) => cache.intern(found, moment, 'scan')), next: page.next };
  });
  const commit = createCommit(adapter, cache, reads);

  const current = async (id: string): Promise<ClientRecord> => {
    const record = await reads.fresh(id);
    if (record === undefined) throw notFound();
    return record;
  };

  return {
    find: async (id) => cache.get(id, maxAgeMs) ?? reads.running(id),
    findFresh: (id) => reads.fresh(id),
    create: (record, also) => commit('create', record, also),
    replace: (record) => commit('replace', record),
    update: (id, change) =>
      inOrder(id, async () => {
        const changed = await change(await current(id));
        await commit('replace', changed);
        return changed;
      }),
    remove: (id) => inOrder(id, async () => commit('remove', await current(id))),
    list: ({ limit, after }) => lists.fresh(JSON.stringify({ limit, after })),
    stats: () => ({ reads: readCount, parses: cache.parses() }),
  };
};
