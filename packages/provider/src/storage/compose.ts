import {
  bindAdapter,
  type Capabilities,
  type Conflict,
  type FoundRecord,
  keyOfWrite,
  mostLeftCounted,
  type Page,
  partsOf,
  type RecordKey,
  type ScanQuery,
  type StorageAdapter,
  type Swept,
  type Write,
} from '@carnet/adapter-contract';
import { type GroupName, groupNames, groupOf } from './groups.ts';

/** The store of each group. */
export type Stores = Readonly<Record<GroupName, StorageAdapter>>;

export const storesOf = (fallback: StorageAdapter, others: Partial<Stores>): Stores =>
  Object.fromEntries(groupNames.map((name) => [name, others[name] ?? fallback])) as unknown as Stores;

/** The stores with the records of one issuer alone; undefined: of the first one. */
export const bindStores = (stores: Stores, issuer: string | undefined): Stores => {
  const bound = new Map([...new Set(Object.values(stores))].map((store) => [store, bindAdapter(store, issuer)]));
  return storesOf(
    bound.get(stores.clients) as StorageAdapter,
    Object.fromEntries(groupNames.map((name) => [name, bound.get(stores[name])])),
  );
};

interface Run {
  readonly store: StorageAdapter;
  readonly writes: Write[];
}

const storeOfWrite = (stores: Stores, write: Write): StorageAdapter =>
  write.type === 'revoke' ? stores.tokens : stores[groupOf(keyOfWrite(write))];

/** The parts of a commit in their order. Neighbours in one store are together. */
const runsOf = (stores: Stores, writes: readonly Write[]): readonly Run[] => {
  const runs: Run[] = [];
  for (const part of partsOf(writes)) {
    const store = storeOfWrite(stores, part[0] as Write);
    const last = runs.at(-1);
    if (last?.store === store) last.writes.push(...part);
    else runs.push({ store, writes: [...part] });
  }
  return runs;
};

/** The writes of a commit that a conflict has undone or prevented, without the write that conflicted. */
export type UndoneBy = (conflict: Conflict, writes: readonly Write[]) => readonly Write[];

/** The writes that one store has not carried out. */
const undoneIn = ({ store, writes }: Run, failed: Write): readonly Write[] => {
  if (store.capabilities.atomicCommit === 'all') return writes;
  const parts = partsOf(writes);
  return parts.slice(parts.findIndex((part) => part.includes(failed))).flat();
};

/** After a conflict, earlier commits stay: those to other stores, or in separate parts. */
export const createUndoneBy =
  (stores: Stores): UndoneBy =>
  ({ write: failed }, writes) => {
    const runs = runsOf(stores, writes);
    const at = runs.findIndex((run) => run.writes.includes(failed));
    const undone = runs.slice(at).flatMap((run, index) => (index === 0 ? undoneIn(run, failed) : run.writes));
    return undone.filter((write) => write !== failed);
  };

const sameStore = (stores: Stores, writes: readonly Write[]): StorageAdapter | undefined => {
  const store = writes[0] && storeOfWrite(stores, writes[0]);
  return writes.every((write) => storeOfWrite(stores, write) === store) ? store : undefined;
};

const readAll = async (stores: Stores, keys: readonly RecordKey[]) => {
  const found = new Map<RecordKey, FoundRecord | undefined>();
  const byStore = Map.groupBy(keys, (key) => stores[groupOf(key)]);
  await Promise.all(
    [...byStore].map(async ([store, own]) => {
      const records = await store.read(own);
      for (const [index, key] of own.entries()) found.set(key, records[index]);
    }),
  );
  return keys.map((key) => found.get(key));
};

const capabilitiesOf = (all: readonly StorageAdapter[]): Capabilities => ({
  atomicCommit: 'grant',
  shared: all.every(({ capabilities }) => capabilities.shared),
  durable: all.every(({ capabilities }) => capabilities.durable),
  neverRevives: all.every(({ capabilities }) => capabilities.neverRevives),
});

/** Sweeps every store: how many expired records one has left is not known from another. */
const sweepAll = async (all: readonly StorageAdapter[], limit: number): Promise<Swept> => {
  let [removed, left] = [0, 0];
  for (const [index, store] of all.entries()) {
    const swept = await store.sweep(Math.max(1, Math.floor((limit - removed) / (all.length - index))));
    removed += swept.removed;
    left += swept.left;
  }
  return { removed, left: Math.min(left, mostLeftCounted) };
};

/** One store after the other, each with the records of its groups alone, and of no group. The cursor names the store. */
const scanAll = async (stores: Stores, all: readonly StorageAdapter[], query: ScanQuery): Promise<Page> => {
  const [index, after]: [number, string?] = query.after === undefined ? [0] : JSON.parse(query.after);
  const { records, next } = (await all[index]?.scan({ ...query, after })) ?? { records: [] };
  const isOwn = (record: FoundRecord): boolean => (stores[groupOf(record)] ?? all[index]) === all[index];
  const place = next === undefined ? [index + 1] : [index, next];
  return { records: records.filter(isOwn), next: Number(place[0]) < all.length ? JSON.stringify(place) : undefined };
};

/** One store composed of several, each for its groups. If all are the same store, it is that store. */
export const composeStores = (stores: Stores): StorageAdapter => {
  const all = [...new Set(Object.values(stores))];
  if (all.length === 1) return stores.clients;
  return {
    capabilities: capabilitiesOf(all),
    read: (keys) => readAll(stores, keys),
    async commit(writes) {
      const only = sameStore(stores, writes);
      if (only !== undefined) return only.commit(writes);
      for (const run of runsOf(stores, writes)) {
        const conflict = await run.store.commit(run.writes);
        if (conflict !== undefined) return conflict;
      }
      return undefined;
    },
    list: (query) => stores[groupOf(query)].list(query),
    scan: (query) => scanAll(stores, all, query),
    sweep: (limit) => sweepAll(all, limit),
    ping: async () => void (await Promise.all(all.map((store) => store.ping()))),
    close: async () => void (await Promise.all(all.map((store) => store.close()))),
  };
};
