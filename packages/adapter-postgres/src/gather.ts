import type { Deadline } from './deadline.ts';

export interface GatherOptions<Call, Answer> {
  /** How many statements may be under way before calls have to wait. */
  readonly lanes: () => number;
  /** How much of a lane they take, a power of two. Default: 1. */
  readonly shareOf?: (calls: readonly Call[]) => number;
  /** Which of the waiting calls, the oldest first, go out next, in one statement; none: each of them has to wait. */
  readonly choose: (waiting: Iterable<Call>) => readonly Call[];
  /**
   * Several calls in one statement, which is sent only as long as `areAwaited` holds; answers each of them, in their
   * order, or nothing when nothing was done.
   */
  readonly together: (calls: readonly Call[], areAwaited: () => boolean) => Promise<readonly Answer[] | undefined>;
  readonly alone: (call: Call, deadline: Deadline) => Promise<Answer>;
  /** Whether a call may be carried out by itself once `together` has failed with the error. */
  readonly mayFollow: (call: Call, error: unknown) => boolean;
  /** Called when all that were chosen together have their answers, or will never have one. */
  readonly release?: (calls: readonly Call[]) => void;
}

export interface Gatherer<Call, Answer> {
  /** At once where nothing is under way, else in its turn. What is given up on before it is sent never is. */
  call(call: Call, deadline: Deadline): Promise<Answer>;
}

/** What becomes of a call when its turn has come. */
type Turn<Answer> = { readonly answer: Answer } | 'alone';

interface Entry<Call, Answer> {
  readonly call: Call;
  readonly turn: PromiseWithResolvers<Turn<Answer>>;
  readonly ended: PromiseWithResolvers<void>;
  isGivenUp: boolean;
}

const isAwaited = ({ isGivenUp }: { readonly isGivenUp: boolean }): boolean => !isGivenUp;

/** A statement that takes longer, waiting for somebody's lock or for a network, holds up no other. */
const patienceMs = 25;

/**
 * Calls that come in while a statement is under way go out together: at the end of the turn, or as soon as a lane is
 * free. Nobody waits for company: what comes when nothing is under way is sent at once.
 */
export const createGatherer = <Call extends object, Answer>(
  options: GatherOptions<Call, Answer>,
): Gatherer<Call, Answer> => {
  const { lanes, choose, together, alone, mayFollow, release = () => {}, shareOf = () => 1 } = options;
  type Entries = readonly Entry<Call, Answer>[];
  const waiting = new Map<Call, Entry<Call, Answer>>();
  let underWay = 0;
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled || waiting.size === 0 || underWay >= lanes()) return;
    isScheduled = true;
    // setImmediate comes after all sockets of a turn have been served: their calls travel together.
    setImmediate(flush);
  };

  const flush = (): void => {
    isScheduled = false;
    while (waiting.size > 0 && underWay < lanes()) {
      const calls = choose(waiting.keys());
      if (calls.length === 0) return;
      void send(calls);
    }
  };

  const takeOut = (call: Call): Entry<Call, Answer> => {
    const entry = waiting.get(call) as Entry<Call, Answer>;
    waiting.delete(call);
    return entry;
  };

  const carryOutEach = async (entries: Entries): Promise<void> => {
    for (const { turn } of entries) turn.resolve('alone');
    await Promise.all(entries.map(({ ended }) => ended.promise));
  };

  const carryOut = async (entries: Entries): Promise<void> => {
    if (entries.length <= 1) return carryOutEach(entries);
    const calls = entries.map(({ call }) => call);
    try {
      const answers = await together(calls, () => entries.every(isAwaited));
      const awaited = entries.filter(isAwaited);
      if (answers === undefined) return await (awaited.length === entries.length ? carryOutEach : carryOut)(awaited);
      for (const [index, { turn }] of entries.entries()) turn.resolve({ answer: answers[index] as Answer });
    } catch (error) {
      const followers = entries.filter(({ call }) => mayFollow(call, error));
      for (const entry of entries) if (!followers.includes(entry)) entry.turn.reject(error);
      await carryOutEach(followers);
    }
  };

  /** Carries out what was chosen, in a lane of its own. */
  const inLane = async <T>(calls: readonly Call[], work: () => Promise<T>): Promise<T> => {
    const share = shareOf(calls);
    underWay += share;
    let isCounted = true;
    const leave = (): void => {
      if (isCounted) underWay -= share;
      isCounted = false;
      schedule();
    };
    const impatience = setTimeout(leave, patienceMs);
    try {
      return await work();
    } finally {
      clearTimeout(impatience);
      release(calls);
      leave();
    }
  };

  const send = (calls: readonly Call[]): Promise<void> => {
    const entries = calls.map(takeOut);
    return inLane(calls, () => carryOut(entries));
  };

  /** As soon as its turn has come. */
  const inTurn = async (call: Call, deadline: Deadline): Promise<Answer> => {
    const entry: Entry<Call, Answer> = {
      call,
      turn: Promise.withResolvers(),
      ended: Promise.withResolvers(),
      isGivenUp: false,
    };
    waiting.set(call, entry);
    schedule();
    const giveUp = (): void => {
      entry.isGivenUp = true;
      waiting.delete(call);
      // Others may have waited behind it.
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
    call(call, deadline) {
      const isIdle = underWay === 0 && waiting.size === 0;
      if (isIdle && choose([call]).length === 1) return inLane([call], () => alone(call, deadline));
      return inTurn(call, deadline);
    },
  };
};
