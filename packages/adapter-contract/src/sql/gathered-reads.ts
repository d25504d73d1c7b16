import { createGatherer, shareOut } from '../kit/gather.ts';
import type { FoundRecord, RecordKey } from '../port.ts';
import type { CommitStore } from './commit.ts';
import { type Deadline, withDeadline } from './deadline.ts';

type Keys = readonly RecordKey[];
type Found = readonly (FoundRecord | undefined)[];

export interface GatherSettings {
  readonly store: Pick<CommitStore<unknown>, 'read' | 'changedNothing'>;
  readonly now: () => number;
  readonly timeoutMs: number;
  /** How many connections there are. */
  readonly poolSize: number;
}

/** Statements that run at once. */
const maxConcurrency = 2;
const mostKeys = 512;

const chooseReads = (waiting: Iterable<Keys>): readonly Keys[] => {
  const chosen: Keys[] = [];
  let count = 0;
  for (const keys of waiting) {
    count += keys.length;
    if (chosen.length > 0 && count > mostKeys) break;
    chosen.push(keys);
  }
  return chosen;
};

/** Reads, several in one statement where they meet. */
export const createReads = ({ store, now, timeoutMs, poolSize }: GatherSettings) => {
  const concurrency = Math.min(maxConcurrency, poolSize);
  const read = (keys: Keys, deadline: Deadline) => store.read(keys, { now: now(), deadline });
  const gatherer = createGatherer<Keys, Found, Deadline>({
    concurrency: () => concurrency,
    choose: chooseReads,
    async together(calls) {
      const found = await withDeadline(timeoutMs, (deadline) => read(calls.flat(), deadline));
      return shareOut(
        found,
        calls.map(({ length }) => length),
      );
    },
    alone: read,
    mayFollow: (_, error) => store.changedNothing(error),
  });
  return {
    read: async (keys: Keys, deadline: Deadline): Promise<Found> =>
      // A list of its own: two calls may be given the same one.
      keys.length === 0 ? [] : gatherer.call([...keys], deadline),
  };
};
