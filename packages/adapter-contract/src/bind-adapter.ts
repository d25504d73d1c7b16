import type { FoundRecord, ListQuery, Page, RecordKey, StorageAdapter, StoredRecord, Write } from './port.ts';

/**
 * Several issuers in one store. The records of a named issuer have `~NAME~` before their ids, grants and subjects. Those of
 * the first issuer have none, so that a store with one issuer needs no migration. `~` sorts after every character of an
 * id, so that the records of each issuer are next to each other in lists, and the first issuer's come first.
 */
const mark = '~';

const pattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** What a store has of a named issuer: its ids, grants and subjects begin with it. @throws RangeError for another name */
export const issuerPrefix = (issuer: string): string => {
  if (!pattern.test(issuer)) throw new RangeError('An issuer is named by at most 63 of a-z, 0-9 and -.');
  return `${mark}${issuer}${mark}`;
};

/** The issuer of a stored id; undefined: the first one. */
export const issuerOfId = (id: string): string | undefined => (id.startsWith(mark) ? id.split(mark, 2)[1] : undefined);

/** Translates between the records of one issuer and those of the store. */
interface Binding {
  readonly prefix: string;
  /** The key in the store. Undefined if the issuer can't have such a key. */
  keyInStore<K extends RecordKey>(key: K): K | undefined;
  grantInStore(grantId: string): string | undefined;
  subjectInStore(subject: string): string;
  /** The record as its issuer wrote it. Undefined if it belongs to another issuer. */
  own(found: FoundRecord): FoundRecord | undefined;
}

const firstIssuer: Binding = {
  prefix: '',
  keyInStore: (key) => (key.id.startsWith(mark) || key.grantId?.startsWith(mark) ? undefined : key),
  grantInStore: (grantId) => (grantId.startsWith(mark) ? undefined : grantId),
  subjectInStore: (subject) => subject,
  own: (found) => (firstIssuer.keyInStore(found) ? found : undefined),
};

const bindingOf = (prefix: string): Binding => ({
  prefix,
  keyInStore: (key) => ({
    ...key,
    id: prefix + key.id,
    ...(key.grantId !== undefined && { grantId: prefix + key.grantId }),
  }),
  grantInStore: (grantId) => prefix + grantId,
  subjectInStore: (subject) => prefix + subject,
  own(found) {
    const { id, grantId, subject } = found;
    const texts = [id, grantId, subject].filter((text) => text !== undefined);
    // The one step that keeps issuers apart: whatever the store found, a record without the prefix is nothing here.
    if (!texts.every((text) => text.startsWith(prefix))) return undefined;
    return {
      ...found,
      id: id.slice(prefix.length),
      ...(grantId !== undefined && { grantId: grantId.slice(prefix.length) }),
      ...(subject !== undefined && { subject: subject.slice(prefix.length) }),
    };
  },
});

/** What a binding returns for a key or a grant that may be written. @throws RangeError if there is none */
const writable = <T>(inStore: T | undefined): T => {
  if (inStore === undefined) throw new RangeError(`An id of the first issuer does not begin with ${mark}.`);
  return inStore;
};

const bindRecord = (record: StoredRecord, { keyInStore, subjectInStore }: Binding): StoredRecord => {
  const bound = writable(keyInStore(record));
  return bound.subject === undefined ? bound : { ...bound, subject: subjectInStore(bound.subject) };
};

const bindWrite = (write: Write, binding: Binding): Write => {
  if (write.type === 'revoke') return { ...write, grantId: writable(binding.grantInStore(write.grantId)) };
  if ('record' in write) return { ...write, record: bindRecord(write.record, binding) };
  return { ...write, key: writable(binding.keyInStore(write.key)) };
};

const isDefined = <T>(value: T | undefined): value is T => value !== undefined;

/**
 * All records of a kind are in the order of their ids: those of the issuer begin after its prefix, and end at the first
 * record of another one. One more than the page holds is read: there is a next page only if that one is the issuer's.
 */
const listKind = async (adapter: StorageAdapter, query: ListQuery, { prefix, own }: Binding): Promise<Page> => {
  const { limit, after } = query;
  const from = after === undefined ? prefix : prefix + after;
  const page = await adapter.list({ ...query, limit: limit + 1, after: from === '' ? undefined : from });
  const found = page.records.map(own);
  const end = found.indexOf(undefined);
  const records = (end < 0 ? found : found.slice(0, end)).filter(isDefined);
  const kept = records.slice(0, limit);
  return records.length > limit ? { records: kept, next: kept.at(-1)?.id } : { records: kept };
};

/**
 * A user of the first issuer may be called as a subject of a named issuer is in the store. Each record that is the other
 * issuer's is left out, so that a page is filled from several of the store.
 */
const listSubject = async (adapter: StorageAdapter, query: ListQuery, { own }: Binding): Promise<Page> => {
  const records: FoundRecord[] = [];
  for (let { after } = query; ; ) {
    const page = await adapter.list({ ...query, after, limit: query.limit - records.length });
    records.push(...page.records.map(own).filter(isDefined));
    if (page.next === undefined) return { records };
    if (records.length === query.limit) return { records, next: page.next };
    after = page.next;
  }
};

/** The page of a subject. It has a next one only if a further record is the issuer's. */
const listOfSubject = async (adapter: StorageAdapter, query: ListQuery, binding: Binding): Promise<Page> => {
  const page = await listSubject(adapter, query, binding);
  if (page.next === undefined || query.subject?.startsWith(mark) === false) return page;
  const further = await listSubject(adapter, { ...query, after: page.next, limit: 1 }, binding);
  return further.records.length > 0 ? page : { records: page.records };
};

/**
 * The records of one issuer in a store that several issuers share; undefined: of the first issuer. Each issuer has ids,
 * grants and subjects of its own: a record of one is absent for every other, even under the same id. `sweep` and `ping`
 * are about the whole store. `close` ends this adapter only; its owner closes the store.
 *
 * @throws RangeError if an issuer can't have the name
 */
export const bindAdapter = (adapter: StorageAdapter, issuer: string | undefined): StorageAdapter => {
  const binding = issuer === undefined ? firstIssuer : bindingOf(issuerPrefix(issuer));
  let isClosed = false;
  const store = (): StorageAdapter => {
    if (isClosed) throw new Error('The store of this issuer is closed.');
    return adapter;
  };
  return {
    capabilities: adapter.capabilities,
    async read(keys) {
      const bound = keys.map(binding.keyInStore);
      const found = await store().read(bound.filter(isDefined));
      let position = 0;
      return bound.map((key) => {
        const record = key && found[position++];
        return record && binding.own(record);
      });
    },
    async commit(writes) {
      const bound = writes.map((write) => bindWrite(write, binding));
      const conflict = await store().commit(bound);
      // Callers compare writes by identity: they get their own.
      const write = conflict && writes[bound.indexOf(conflict.write)];
      return conflict && write ? { ...conflict, write } : conflict;
    },
    async list(query) {
      if (query.subject === undefined) return listKind(store(), query, binding);
      return listOfSubject(store(), { ...query, subject: binding.subjectInStore(query.subject) }, binding);
    },
    async scan(query) {
      const { records, next } = await store().scan({ ...query, prefix: binding.prefix + (query.prefix ?? '') });
      return { records: records.map(binding.own).filter(isDefined), next };
    },
    sweep: async (limit) => store().sweep(limit),
    ping: async () => store().ping(),
    async close() {
      isClosed = true;
    },
  };
};
