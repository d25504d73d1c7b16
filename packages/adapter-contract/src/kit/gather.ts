/** How long a call may take. */
interface Deadline {
  /** Settles like `work` if it settles in time; else calls `release` and throws. */
  within<T>(work: Promise<T>, release: () => void): Promise<T>;
}

export interface GatherOptions<Call, Answer, Limit extends Deadline> {
  /** How many statements may run before further calls have to wait. */
  readonly concurrency: () => number;
  /** Which part of a slot the calls take: a power of two. Default: 1. */
  readonly shareOf?: (calls: readonly Call[]) => number;
  /** Chooses the calls of the next statement. `waiting` begins with the oldest. None: all have to wait. */
  readonly choose: (waiting: Iterable<Call>) => readonly Call[];
  /**
   * Carries out several calls in one statement, which is sent only while `areAwaited` is true. Resolves to the answers
   * in the order of the calls, or to undefined when no call was carried out.
   */
  readonly together: (calls: readonly Call[], areAwaited: () => boolean) => Promise<readonly Answer[] | undefined>;
  readonly alone: (call: Call, deadline: Limit) => Promise<Answer>;
  /** Whether a call may be carried out by itself once `together` has failed with the error. */
  readonly mayFollow: (call: Call, error: unknown) => boolean;
  /** Called when the calls of a statement have their answers, or will never have one. */
  readonly release?: (calls: readonly Call[]) => void;
}

/** The answers of several calls together, as those of each call, by the number of its answers. */
export const shareOut = <Answer>(
  answers: readonly Answer[],
  counts: readonly number[],
): readonly (readonly Answer[])[] => {
  let end = 0;
  return counts.map((count) => {
    end += count;
    return answers.slice(end - count, end);
  });
};

/** The possible steps for a call. */
type Turn<Answer> = { readonly answer: Answer } | 'alone';

interface Entry<Call, Answer> {
  readonly call: Call;
  readonly turn: PromiseWithResolvers<Turn<Answer>>;
  readonly ended: PromiseWithResolvers<void>;
  isGivenUp: boolean;
}

type Entries<Call, Answer> = readonly Entry<Call, Answer>[];

const createEntry = <Call, Answer>(call: Call): Entry<Call, Answer> => ({
  call,
  turn: Promise.withResolvers(),
  ended: Promise.withResolvers(),
  isGivenUp: false,
});

const isAwaited = ({ isGivenUp }: { readonly isGivenUp: boolean }): boolean => !isGivenUp;

const carryOutEach = async <Call, Answer>(entries: Entries<Call, Answer>): Promise<void> => {
  for (const { turn } of entries) turn.resolve('alone');
  await Promise.all(entries.map(({ ended }) => ended.promise));
};

const carryOut = async <Call, Answer>(
  options: Pick<GatherOptions<Call, Answer, Deadline>, 'together' | 'mayFollow'>,
  entries: Entries<Call, Answer>,
): Promise<void> => {
  if (entries.length <= 1) return carryOutEach(entries);
  const calls = entries.map(({ call }) => call);
  try {
    const answers = await options.together(calls, () => entries.every(isAwaited));
    const awaited = entries.filter(isAwaited);
    if (answers === undefined)
      return await (awaited.length === entries.length ? carryOutEach(awaited) : carryOut(options, awaited));
    for (const [index, { turn }] of entries.entries()) turn.resolve({ answer: answers[index] as Answer });
  } catch (error) {
    const followers = entries.filter(({ call }) => options.mayFollow(call, error));
    for (const entry of entries) if (!followers.includes(entry)) entry.turn.reject(error);
    await carryOutEach(followers);
  }
};

/** A statement that takes longer, because it waits for a lock or for the network, does not occupy its slot any more. */
const patienceMs = 25;

/** Slots for statements. `onFree` is called whenever a slot becomes free. */
const createSlots = (concurrency: () => number, onFree: () => void) => {
  let used = 0;
  return {
    isIdle: () => used === 0,
    areFree: () => used < concurrency(),
    run: async <T>(share: number, work: () => Promise<T>, release: () => void): Promise<T> => {
      used += share;
      let isUsed = true;
      const leave = (): void => {
        if (isUsed) used -= share;
        isUsed = false;
        onFree();
      };
      const impatience = setTimeout(leave, patienceMs);
      try {
        return await work();
      } finally {
        clearTimeout(impatience);
        release();
        leave();
      }
    },
  };
};

/**
 * Gathers calls that arrive while a statement runs: they are sent together at the end of the turn, or as soon as a slot
 * is free. A call is never delayed to wait for others: it is sent at once when no statement runs.
 */
export const createGatherer = <Call extends object, Answer, Limit extends Deadline>(
  options: GatherOptions<Call, Answer, Limit>,
) => {
  const { choose, alone, release = () => {}, shareOf = () => 1 } = options;
  const waiting = new Map<Call, Entry<Call, Answer>>();
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled || waiting.size === 0 || !slots.areFree()) return;
    isScheduled = true;
    // setImmediate runs after all sockets of a turn have been read, so that their calls travel together.
    setImmediate(flush);
  };
  const slots = createSlots(options.concurrency, schedule);
  const inSlot = <T>(calls: readonly Call[], work: () => Promise<T>): Promise<T> =>
    slots.run(shareOf(calls), work, () => release(calls));

  const flush = (): void => {
    isScheduled = false;
    while (waiting.size > 0 && slots.areFree()) {
      const calls = choose(waiting.keys());
      if (calls.length === 0) return;
      const entries = calls.map((call) => waiting.get(call) as Entry<Call, Answer>);
      for (const call of calls) waiting.delete(call);
      void inSlot(calls, () => carryOut(options, entries));
    }
  };

  const inTurn = async (call: Call, deadline: Limit): Promise<Answer> => {
    const entry = createEntry<Call, Answer>(call);
    waiting.set(call, entry);
    schedule();
    const giveUp = (): void => {
      entry.isGivenUp = true;
      waiting.delete(call);
      // Other calls may have waited for this one.
      schedule();
    };
    try {
      const turn = await deadline.within(entry.turn.promise, giveUp);
      return turn === 'alone' ? await alone(call, deadline) : turn.answer;
    } finally {
      entry.ended.resolve();
    }
  };

  return {
    /** Sends the call at once when no statement runs, otherwise in its turn. A call whose deadline has passed is not sent. */
    call(call: Call, deadline: Limit): Promise<Answer> {
      const isIdle = slots.isIdle() && waiting.size === 0;
      if (isIdle && choose([call]).length === 1) return inSlot([call], () => alone(call, deadline));
      return inTurn(call, deadline);
    },
  };
};
