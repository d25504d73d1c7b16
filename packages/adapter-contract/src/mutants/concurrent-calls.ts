import type { Conflict, FoundRecord, RecordKey, StorageAdapter, Write } from '../port.ts';
import { letOthersWork, type Mutant, mapKey, mutantsOf, override, turn } from './mutant.ts';

interface Gathered<Call, Answer> {
  readonly call: Call;
  readonly answer: PromiseWithResolvers<Answer>;
}

/** Calls of one turn of the event loop are carried out together, by hand. */
const gathering = <Call, Answer>(together: (calls: readonly Call[]) => Promise<readonly Answer[]>) => {
  let waiting: Gathered<Call, Answer>[] = [];
  const flush = async () => {
    await turn();
    const batch = waiting;
    waiting = [];
    const answers = await together(batch.map(({ call }) => call));
    for (const [index, { answer }] of batch.entries()) answer.resolve(answers[index] as Answer);
  };
  return (call: Call): Promise<Answer> => {
    const answer = Promise.withResolvers<Answer>();
    if (waiting.push({ call, answer }) === 1) flush().catch(answer.reject);
    return answer.promise;
  };
};

const gatheringCommits =
  (
    together: (
      adapter: StorageAdapter,
      commits: readonly (readonly Write[])[],
    ) => Promise<readonly (Conflict | undefined)[]>,
  ): Mutant['wrap'] =>
  (adapter) =>
    override(adapter, { commit: gathering((commits) => together(adapter, commits)) });

type Found = readonly (FoundRecord | undefined)[];

const gatheringReads =
  (
    together: (adapter: StorageAdapter, reads: readonly (readonly RecordKey[])[]) => Promise<readonly Found[]>,
  ): Mutant['wrap'] =>
  (adapter) =>
    override(adapter, { read: gathering((reads) => together(adapter, reads)) });

/** The part of the batch result for each call. */
const deal = (found: Found, reads: readonly (readonly RecordKey[])[]): readonly Found[] => {
  let end = 0;
  return reads.map(({ length }) => {
    end += length;
    return found.slice(end - length, end);
  });
};

export const concurrentCallMutants = mutantsOf({
  'commits-at-once-are-answered-each-for-itself': {
    'undoes-all-for-one-conflict': gatheringCommits(async (adapter, commits) => {
      const conflict = await adapter.commit(commits.flat());
      return commits.map(() => conflict);
    }),
    'tells-of-a-conflict-whose-write-it-is-and-drops-the-others': gatheringCommits(async (adapter, commits) => {
      const conflict = await adapter.commit(commits.flat());
      return commits.map((writes) => (conflict && writes.includes(conflict.write) ? conflict : undefined));
    }),
  },
  'reads-at-once-are-answered-each-for-itself': {
    'reads-a-key-once-for-all': gatheringReads(async (adapter, reads) => {
      const keys = new Map(reads.flat().map((key) => [mapKey(key), key]));
      return deal(await adapter.read([...keys.values()]), reads);
    }),
  },
  'answers-at-once-alias-nothing': {
    'hands-one-answer-to-all': gatheringReads(async (adapter, reads) => {
      const keys = new Map(reads.flat().map((key) => [mapKey(key), key]));
      const found = await adapter.read([...keys.values()]);
      const byKey = new Map([...keys.keys()].map((name, index) => [name, found[index]]));
      return reads.map((each) => each.map((key) => byKey.get(mapKey(key))));
    }),
  },
  'read-amid-others-sees-what-is-committed': {
    'joins-a-read-under-way': (adapter) => {
      const underWay = new Map<string, Promise<Found>>();
      const slowly = async (keys: readonly RecordKey[]): Promise<Found> => {
        const found = await adapter.read(keys);
        await letOthersWork();
        return found;
      };
      return override(adapter, {
        read: (keys) => {
          const name = keys.map(mapKey).join();
          const joined = underWay.get(name) ?? slowly(keys).finally(() => underWay.delete(name));
          underWay.set(name, joined);
          return joined;
        },
      });
    },
  },
});
