import type { Conflict, FoundRecord, RecordKey, StorageAdapter, Write } from '@carnet/adapter-contract';

const nameOf = ({ kind, id }: RecordKey): string => `${kind}:${id}`;

/** Reads of one turn of the event loop become one `read`, and each record is read once. */
export const createBatchedRead = (adapter: Pick<StorageAdapter, 'read'>) => {
  const known = new Map<string, Promise<FoundRecord | undefined>>();
  let batch: ReturnType<typeof openBatch> | undefined;

  const openBatch = () => {
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

  return (key: RecordKey): Promise<FoundRecord | undefined> => {
    const name = nameOf(key);
    const record = known.get(name) ?? fetch(key);
    known.set(name, record);
    return record;
  };
};

/**
 * The reads and writes of one request. Reads of the same turn of the event loop become one `read`, known records are not
 * read again, and writes are collected for `commit`.
 */
export const createUnitOfWork = (adapter: Pick<StorageAdapter, 'read' | 'commit'>) => {
  let gathered: Write[] = [];

  return {
    /** Reads a record, at most once per request from the store. */
    read: createBatchedRead(adapter),
    write: (write: Write): void => void gathered.push(write),
    /** Writes that precede all writes of `write`: a store that is atomic for one grant only decides about them first. */
    writeFirst: (writes: readonly Write[]): void => void gathered.unshift(...writes),
    /** All writes so far. */
    writes: (): readonly Write[] => gathered,
    /** Drops all writes. */
    discard(): void {
      gathered = [];
    },
    /** Carries out the writes in one commit, if there are any. @throws CarnetError `storage_unavailable` */
    async commit(): Promise<Conflict | undefined> {
      const writes = gathered;
      gathered = [];
      return writes.length === 0 ? undefined : adapter.commit(writes);
    },
  };
};

export type UnitOfWork = ReturnType<typeof createUnitOfWork>;
