import type { Conflict, FoundRecord, RecordKey, StorageAdapter, Write } from '@carnet/adapter-contract';

/**
 * The reads and writes of one request, between oidc-provider, which asks for one record at a time, and the store. Reads
 * of the same turn of the event loop become one `read`, known records are not read again, and writes are collected for
 * `commit`.
 */
export interface UnitOfWork {
  /** Reads a record, at most once per request from the store. */
  read(key: RecordKey): Promise<FoundRecord | undefined>;
  /** A write that is dropped when the request fails. */
  write(write: Write): void;
  /**
   * Writes that precede all writes of `write`: a store that is atomic for one grant only decides about them first.
   */
  writeFirst(writes: readonly Write[]): void;
  /** A write that is carried out even when the request fails: a revocation, the use of a single-use token. */
  writeAlways(write: Write): void;
  /** All writes so far. Those of `writeAlways` come first. */
  writes(): readonly Write[];
  /** Drops all writes. */
  discard(): void;
  /**
   * Carries out the writes in one commit, if there are any. With `failed` only those of `writeAlways`.
   * @throws CarnetError `storage_unavailable`
   */
  commit(outcome: 'succeeded' | 'failed'): Promise<Conflict | undefined>;
}

const nameOf = ({ kind, id }: RecordKey): string => `${kind}:${id}`;

interface Batch {
  readonly keys: RecordKey[];
  readonly answer: Promise<readonly (FoundRecord | undefined)[]>;
}

/** Reads of one turn of the event loop become one `read`, and each record is read once. */
export const createBatchedRead = (adapter: Pick<StorageAdapter, 'read'>): UnitOfWork['read'] => {
  const known = new Map<string, Promise<FoundRecord | undefined>>();
  let batch: Batch | undefined;

  const openBatch = (): Batch => {
    const keys: RecordKey[] = [];
    // The batch closes when the current turn's promise callbacks have run: all reads issued together travel together.
    const answer = Promise.resolve().then(() => {
      batch = undefined;
      return adapter.read(keys);
    });
    return { keys, answer };
  };

  const fetch = async (key: RecordKey): Promise<FoundRecord | undefined> => {
    batch ??= openBatch();
    const index = batch.keys.push(key) - 1;
    return (await batch.answer)[index];
  };

  return (key) => {
    const name = nameOf(key);
    const record = known.get(name) ?? fetch(key);
    known.set(name, record);
    return record;
  };
};

export const createUnitOfWork = (adapter: Pick<StorageAdapter, 'read' | 'commit'>): UnitOfWork => {
  let gathered: Write[] = [];
  let always: Write[] = [];

  return {
    read: createBatchedRead(adapter),
    write: (write) => void gathered.push(write),
    writeFirst: (writes) => void gathered.unshift(...writes),
    writeAlways: (write) => void always.push(write),
    writes: () => [...always, ...gathered],
    discard() {
      gathered = [];
      always = [];
    },
    async commit(outcome) {
      const writes = outcome === 'succeeded' ? [...always, ...gathered] : always;
      gathered = [];
      always = [];
      return writes.length === 0 ? undefined : adapter.commit(writes);
    },
  };
};
