import { setTimeout as sleep } from 'node:timers/promises';
import { createWorkQueue, type WorkQueue } from '@carnet/adapter-contract/kit';
import { type CallOptions, SignerUnavailableError } from '@carnet/signer-contract';
import { CarnetError } from '../../errors.ts';
import type { SigningShare } from '../signing/signer.ts';
import { isUnavailable, isUnfit } from './signer-errors.ts';

type Work<T> = (options: CallOptions) => Promise<T>;

/** A call of a service that has ended. It has no data of a token. */
export interface SignerCall {
  readonly service: string;
  readonly operation: 'sign' | 'keys' | 'wrap' | 'unwrap';
  /** With its repetition and the time that it waited. */
  readonly durationMs: number;
  /** Undefined: the call succeeded. */
  readonly failure: 'unavailable' | 'unfit' | 'too_busy' | 'other' | undefined;
}

export type ObserveCall = (call: SignerCall) => void;

export interface CallLimits {
  /** The deadline of a signature, with its repetition. Milliseconds. */
  readonly timeoutMs: number;
  /** How many signatures of one service may be under way. */
  readonly concurrency: number;
}

/** How many signatures may wait for each that may be under way. */
const waitingPerRunning = 4;
/** Authorization requests may have a quarter of the signatures that are under way. */
const browserShare = 4;

const failureOf = (error: unknown): SignerCall['failure'] => {
  if (isUnavailable(error)) return 'unavailable';
  if (isUnfit(error)) return 'unfit';
  return error instanceof CarnetError && error.code === 'too_busy' ? 'too_busy' : 'other';
};

/** Ends at the deadline, even if the call does not: a service that never answers must not keep requests forever. */
export const withDeadline = async <T>(work: Work<T>, ms: number): Promise<T> => {
  const controller = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new SignerUnavailableError(`The service did not answer within ${Math.round(ms)} ms.`);
    reject(error);
    controller.abort(error);
  }, ms);
  try {
    return await Promise.race([work({ signal: controller.signal }), late]);
  } finally {
    clearTimeout(timer);
  }
};

/** Repeats the call once after an outage, within the same deadline. The first call gets half of the time. */
export const repeated = async <T>(work: Work<T>, ms: number): Promise<T> => {
  const startedAt = performance.now();
  try {
    return await withDeadline(work, ms / 2);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    // The delay is random, so that the calls that a short outage has stopped are not repeated at the same time.
    await sleep((Math.random() * ms) / 20);
    const leftMs = ms - (performance.now() - startedAt);
    // A busy process may resume after the deadline.
    if (leftMs <= 0) throw error;
    return withDeadline(work, leftMs);
  }
};

/** Measures a call. */
export const observed = async <T>(
  { service, operation }: Pick<SignerCall, 'service' | 'operation'>,
  observe: ObserveCall,
  call: () => Promise<T>,
): Promise<T> => {
  const startedAt = performance.now();
  let failure: SignerCall['failure'];
  try {
    return await call();
  } catch (error) {
    failure = failureOf(error);
    throw error;
  } finally {
    observe({ service, operation, durationMs: performance.now() - startedAt, failure });
  }
};

const createQueue = (concurrency: number): WorkQueue =>
  createWorkQueue({
    concurrency,
    maxWaiting: concurrency * waitingPerRunning,
    full: () => new CarnetError('too_busy', 'Too many requests wait for the signing service. Try again in a moment.'),
  });

/** Runs a call in its turn. */
export type SigningQueue = <T>(work: Work<T>, share?: SigningShare) => Promise<T>;

/** Limits the signatures of one service that are under way, their duration, and how many requests wait for their turn. */
export const createSigningQueue = ({ timeoutMs, concurrency }: CallLimits): SigningQueue => {
  const queue = createQueue(concurrency);
  // The one step that keeps token requests answered while an attacker without credentials requests signed error responses:
  // these wait for each other first.
  const browsers = createQueue(Math.max(1, Math.floor(concurrency / browserShare)));
  return (work, share = 'clients') => {
    const startedAt = performance.now();
    const inTurn = () =>
      queue.run(share, () => {
        // Each call ends at its deadline, so that every request before this one has ended by the deadline of this one.
        const leftMs = timeoutMs - (performance.now() - startedAt);
        if (leftMs > 0) return repeated(work, leftMs);
        throw new SignerUnavailableError(`The service was busy for ${timeoutMs} ms.`);
      });
    return share === 'browsers' ? browsers.run(share, inTurn) : inTurn();
  };
};
