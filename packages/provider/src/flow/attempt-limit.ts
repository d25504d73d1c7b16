import type { FoundRecord, RecordKey, StorageAdapter } from '@carnet/adapter-contract';
import { randomText } from '../random.ts';
import { recordId } from '../storage/record-id.ts';

/** A counter that permits a limited number of attempts until it expires. */
export interface AttemptCounter {
  /** Identifies the counted action and its subject. */
  readonly name: string;
  readonly limit: number;
  readonly expiresAt: Date;
}

type Store = Pick<StorageAdapter, 'read' | 'commit'>;

const counterKey = ({ name }: AttemptCounter): RecordKey => ({ kind: 'counter', id: recordId(name) });

/** The record itself is the first attempt; each member is a further one. */
const attemptsIn = (record: FoundRecord | undefined): number => (record === undefined ? 0 : record.members.length + 1);

const count = async (store: Store, counter: AttemptCounter): Promise<void> => {
  const key = counterKey(counter);
  const conflict = await store.commit([
    { type: 'claim', record: { ...key, payload: '{}', expiresAt: counter.expiresAt } },
  ]);
  if (conflict === undefined) return;
  // The merge conflicts only if the counter has expired meanwhile. An expired counter limits nothing.
  await store.commit([{ type: 'merge', key, members: [randomText(6)] }]);
};

/**
 * Takes one attempt from each counter, then reads `keys`. Returns undefined if a counter has reached its limit.
 *
 * The order makes the limit safe: the attempt is stored before the records are read. If n attempts run in parallel, the
 * attempt stored as the nth reads a count of at least n, so that at most `limit` attempts see the records.
 */
export const takeAttempt = async (
  store: Store,
  counters: readonly AttemptCounter[],
  keys: readonly RecordKey[],
): Promise<readonly (FoundRecord | undefined)[] | undefined> => {
  const counterKeys = counters.map(counterKey);
  const before = await store.read(counterKeys);
  // A counter at its limit does not grow.
  if (counters.some(({ limit }, index) => attemptsIn(before[index]) >= limit)) return undefined;
  await Promise.all(counters.map((counter) => count(store, counter)));
  const found = await store.read([...counterKeys, ...keys]);
  if (counters.some(({ limit }, index) => attemptsIn(found[index]) > limit)) return undefined;
  return found.slice(counters.length);
};
