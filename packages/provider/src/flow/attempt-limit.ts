import type { FoundRecord, RecordKey, StorageAdapter } from '@carnet/adapter-contract';
import { randomText } from '../random.ts';
import { recordId } from '../storage/record-id.ts';

/** Something that may be tried so many times until a date. */
export interface AttemptCounter {
  /** What is counted, and for whom. */
  readonly name: string;
  readonly limit: number;
  readonly expiresAt: Date;
}

type Store = Pick<StorageAdapter, 'read' | 'commit'>;

const counterKey = ({ name }: Pick<AttemptCounter, 'name'>): RecordKey => ({
  kind: 'counter',
  id: recordId(name),
});

/** The first attempt is the record itself. */
const attemptsIn = (record: FoundRecord | undefined): number => (record === undefined ? 0 : record.members.length + 1);

const count = async (store: Store, counter: AttemptCounter): Promise<void> => {
  const key = counterKey(counter);
  const conflict = await store.commit([
    { type: 'claim', record: { ...key, payload: '{}', expiresAt: counter.expiresAt } },
  ]);
  if (conflict === undefined) return;
  // It conflicts only if the counter has expired in between: then nobody's attempt counts any more.
  await store.commit([{ type: 'merge', key, members: [randomText(6)] }]);
};

/**
 * Takes one attempt of each counter, and reads `keys` if that was still allowed; nothing when it was not.
 *
 * An attempt is counted in the store before what it asks for is looked at: of any number that run in parallel, the one
 * that was counted as the nth reads at least n, so no more than the limit learn anything.
 */
export const takeAttempt = async (
  store: Store,
  counters: readonly AttemptCounter[],
  keys: readonly RecordKey[],
): Promise<readonly (FoundRecord | undefined)[] | undefined> => {
  const counterKeys = counters.map(counterKey);
  const before = await store.read(counterKeys);
  // A counter that is full grows no further, however many come.
  if (counters.some(({ limit }, index) => attemptsIn(before[index]) >= limit)) return undefined;
  await Promise.all(counters.map((counter) => count(store, counter)));
  const found = await store.read([...counterKeys, ...keys]);
  if (counters.some(({ limit }, index) => attemptsIn(found[index]) > limit)) return undefined;
  return found.slice(counters.length);
};
