import type { FoundRecord, RecordKey } from '@carnet/adapter-contract';
import { createGatherer, shareOut, within } from '@carnet/adapter-contract/kit';
import type { CallContext } from './call-context.ts';
import { isOutage } from './faults.ts';
import { itemKeysFor, mostKeys } from './lookup.ts';
import { readRecords } from './read.ts';

interface Call {
  readonly keys: readonly RecordKey[];
  readonly context: CallContext;
}

type Found = readonly (FoundRecord | undefined)[];

/** Requests in progress before further reads wait for one of them. Few processes have as many reads in progress without a high load. */
const concurrency = 16;

const chooseReads = (waiting: Iterable<Call>): readonly Call[] => {
  const chosen: Call[] = [];
  let count = 0;
  for (const call of waiting) {
    count += itemKeysFor(call.keys).length;
    if (chosen.length > 0 && count > mostKeys) break;
    chosen.push(call);
  }
  return chosen;
};

const deadlineOf = ({ deadline }: CallContext) => ({
  async within<T>(work: Promise<T>, giveUp: () => void): Promise<T> {
    try {
      return await within(deadline, work);
    } catch (error) {
      giveUp();
      throw error;
    }
  },
});

/** Reads, several in one request where they meet: each request is signed and parsed, which costs more than its items. */
export const createReads = () => {
  const gatherer = createGatherer<Call, Found, ReturnType<typeof deadlineOf>>({
    concurrency: () => concurrency,
    choose: chooseReads,
    async together(calls) {
      const [{ context }] = calls as readonly [Call];
      const deadline = Math.max(...calls.map((call) => call.context.deadline));
      const keys = calls.map((call) => call.keys);
      const found = await readRecords(keys.flat(), { ...context, deadline });
      return shareOut(
        found,
        keys.map(({ length }) => length),
      );
    },
    alone: ({ keys, context }) => readRecords(keys, context),
    // An outage would be the same for each. A refused request may be refused for the keys of one call.
    mayFollow: (_, error) => !isOutage(error),
  });
  return async (keys: readonly RecordKey[], context: CallContext): Promise<Found> =>
    keys.length === 0 ? [] : gatherer.call({ keys, context }, deadlineOf(context));
};
