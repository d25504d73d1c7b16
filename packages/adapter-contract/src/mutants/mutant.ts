import { setImmediate, setTimeout } from 'node:timers/promises';
import type { MutantOf } from '../kit/law.ts';
import { keyOfWrite } from '../parts.ts';
import type { Conflict, FoundRecord, ListQuery, RecordKey, StorageAdapter, StoredRecord, Write } from '../port.ts';

/** A deliberately broken store: any correct adapter, with one mistake around it. */
export interface Mutant extends MutantOf {
  wrap(adapter: StorageAdapter): StorageAdapter;
}

/** Mutants by the law that each breaks, then by their names. */
export const mutantsOf = (
  byLaw: Readonly<Record<string, Readonly<Record<string, Mutant['wrap']>>>>,
): readonly Mutant[] =>
  Object.entries(byLaw).flatMap(([breaks, wraps]) =>
    Object.entries(wraps).map(([name, wrap]) => ({ name, breaks, wrap })),
  );

/** The same adapter but for some members. It delegates, so that an adapter may be an object of any make. */
export const override = (adapter: StorageAdapter, members: Partial<StorageAdapter>): StorageAdapter => ({
  capabilities: adapter.capabilities,
  read: (keys) => adapter.read(keys),
  commit: (writes) => adapter.commit(writes),
  list: (query) => adapter.list(query),
  scan: (query) => adapter.scan(query),
  sweep: (limit) => adapter.sweep(limit),
  ping: () => adapter.ping(),
  close: () => adapter.close(),
  ...members,
});

/** Let the other callers run. */
export const turn = (): Promise<void> => setImmediate();

/** Let the other callers end their reads and commits, also on a store that divides them among several requests. */
export const letOthersWork = (): Promise<void> => setTimeout(50);

export const mapKey = ({ kind, id }: RecordKey): string => `${kind}:${id}`;

/** Converts a result of `read` to the input of `put`. */
export const toStored = ({ consumedAt: _, members: __, ...record }: FoundRecord): StoredRecord => record;

export const readOne = async (adapter: StorageAdapter, key: RecordKey): Promise<FoundRecord | undefined> =>
  (await adapter.read([key]))[0];

/** The writes that bring a record back to what it was. */
export const restore = (key: RecordKey, found: FoundRecord | undefined): Write[] => {
  if (found === undefined) return [{ type: 'remove', key }];
  const record = toStored(found);
  const writes: Write[] = [
    { type: 'put', record },
    { type: 'merge', key: record, members: found.members },
  ];
  if (found.consumedAt) writes.push({ type: 'consume', key: record, at: found.consumedAt });
  return writes;
};

/** Undoes a commit that conflicts by hand, when others have long seen its changes. */
export const restoring = async (
  adapter: StorageAdapter,
  writes: readonly Write[],
  commit: StorageAdapter['commit'] = (all) => adapter.commit(all),
): Promise<Conflict | undefined> => {
  const keys = writes.flatMap((write) => keyOfWrite(write) ?? []);
  const before = await adapter.read(keys);
  const conflict = await commit(writes);
  if (conflict) await adapter.commit(keys.flatMap((key, index) => restore(key, before[index])));
  return conflict;
};

/** Every answer of read and list passes through `change`. */
export const withAnswers = (
  adapter: StorageAdapter,
  change: (found: FoundRecord) => FoundRecord | undefined,
): StorageAdapter =>
  override(adapter, {
    read: async (keys) => (await adapter.read(keys)).map((found) => found && change(found)),
    list: async (query) => {
      const page = await adapter.list(query);
      return { ...page, records: page.records.flatMap((found) => change(found) ?? []) };
    },
  });

/** Every write is replaced by what `change` makes of it. */
export const withWrites = (
  adapter: StorageAdapter,
  change: (write: Write) => Write | readonly Write[],
): StorageAdapter =>
  override(adapter, {
    commit: async (writes) => {
      const changed = writes.flatMap((write) => [change(write)].flat().map((each) => ({ each, write })));
      const conflict = await adapter.commit(changed.map(({ each }) => each));
      // The caller knows the write it gave.
      const given = changed.find(({ each }) => each === conflict?.write);
      return conflict && { ...conflict, write: given?.write ?? conflict.write };
    },
  });

/** A commit of one write of the type is carried out in a way of its own; all others pass. */
export const replacing =
  <T extends Write['type']>(
    type: T,
    carryOut: (adapter: StorageAdapter, write: Extract<Write, { type: T }>) => ReturnType<StorageAdapter['commit']>,
  ): Mutant['wrap'] =>
  (adapter) =>
    override(adapter, {
      commit: (writes) => {
        const [only] = writes;
        const isMeant = writes.length === 1 && only?.type === type;
        return isMeant ? carryOut(adapter, only as Extract<Write, { type: T }>) : adapter.commit(writes);
      },
    });

/** Every commit is carried out in a way of its own. */
export const committing =
  (
    commit: (adapter: StorageAdapter, writes: readonly Write[]) => ReturnType<StorageAdapter['commit']>,
  ): Mutant['wrap'] =>
  (adapter) =>
    override(adapter, { commit: (writes) => commit(adapter, writes) });

/** Every record that is put or claimed is replaced by what `change` makes of it. */
export const withRecords = (adapter: StorageAdapter, change: (record: StoredRecord) => StoredRecord): StorageAdapter =>
  withWrites(adapter, (write) => ('record' in write ? { ...write, record: change(write.record) } : write));

/** Every key is replaced by what `change` makes of it; answers carry the key that was asked for. */
export const withKeys = (adapter: StorageAdapter, change: <K extends RecordKey>(key: K) => K): StorageAdapter => {
  const writing = withWrites(adapter, (write) => {
    if (write.type === 'revoke') return write;
    return 'record' in write ? { ...write, record: change(write.record) } : { ...write, key: change(write.key) };
  });
  const asked = (found: FoundRecord | undefined, key: RecordKey | undefined) => found && { ...found, ...key };
  return override(writing, {
    read: async (keys) => (await adapter.read(keys.map(change))).map((found, index) => asked(found, keys[index])),
  });
};

/** Commits each write by itself, interleaved with other calls. Stops at the first conflict and undoes no write. */
export const commitOneByOne = async (
  adapter: StorageAdapter,
  writes: readonly Write[],
): Promise<Conflict | undefined> => {
  for (const write of writes) {
    const conflict = await adapter.commit([write]);
    if (conflict) return conflict;
    await letOthersWork();
  }
  return undefined;
};

export const listAll = async (adapter: StorageAdapter, query: ListQuery): Promise<readonly FoundRecord[]> => {
  const all: FoundRecord[] = [];
  for (let after: string | undefined; ; ) {
    const page = await adapter.list({ ...query, limit: 500, after });
    all.push(...page.records);
    if (page.next === undefined) return all;
    after = page.next;
  }
};

/** A mutant that remembers the records it was given. */
export const remembering =
  (
    members: (adapter: StorageAdapter, keys: ReadonlyMap<string, RecordKey>) => Partial<StorageAdapter>,
  ): Mutant['wrap'] =>
  (adapter) => {
    const keys = new Map<string, RecordKey>();
    const store = override(adapter, {
      commit: async (writes) => {
        for (const write of writes) if ('record' in write) keys.set(mapKey(write.record), write.record);
        return adapter.commit(writes);
      },
    });
    return override(store, members(adapter, keys));
  };

export const removeAll = (keys: Iterable<RecordKey>): readonly Write[] =>
  [...keys].map((key) => ({ type: 'remove', key }));
