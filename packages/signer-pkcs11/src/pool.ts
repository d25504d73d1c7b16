import { SignerUnavailableError } from '@carnet/signer-contract';
import { type Login, runJob } from './run-job.ts';
import { type SessionThread, startSessionThread } from './session-thread.ts';
import type { JobName, Jobs } from './thread/job.ts';

/** The sessions of one signer or key wrapper. */
export interface Pool {
  /**
   * Runs a job in a session that is free. A session that ended is opened again, once.
   *
   * @throws SignerUnavailableError, SignerUnfitError, or the reason of the signal as soon as it is aborted
   */
  run<Name extends JobName>(job: Name, input: Jobs[Name]['input'], signal: AbortSignal): Promise<Jobs[Name]['result']>;
  close(): Promise<void>;
}

/** Rejects with the reason as soon as the signal is aborted. */
const orAborted = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });

/** Calls that wait for a thread, in their order. */
const createTurns = () => {
  const waiting: (() => void)[] = [];
  return {
    /** Resolves when a thread may be free. A call that is aborted leaves the queue. */
    wait: async (signal: AbortSignal): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      try {
        await orAborted(signal, promise);
      } catch (error) {
        const at = waiting.indexOf(resolve);
        if (at >= 0) waiting.splice(at, 1);
        // The turn of this call had come: the next call takes it.
        else waiting.shift()?.();
        throw error;
      }
    },
    next: () => waiting.shift()?.(),
    wakeAll: () => {
      for (const wake of waiting.splice(0)) wake();
    },
  };
};

/** Threads are started when they are needed. */
export const createPool = (options: Login & { readonly sessions: number }): Pool => {
  const threads = new Set<SessionThread>();
  const idle: SessionThread[] = [];
  const turns = createTurns();
  let isClosed = false;

  const startThread = (): SessionThread => {
    const thread = startSessionThread(options.settings);
    threads.add(thread);
    return thread;
  };

  const release = (thread: SessionThread): void => {
    if (isClosed) thread.close();
    else if (thread.isDead()) threads.delete(thread);
    else idle.push(thread);
    turns.next();
  };

  const acquire = async (signal: AbortSignal): Promise<SessionThread> => {
    while (!isClosed) {
      const thread = idle.pop();
      if (thread?.isDead()) threads.delete(thread);
      else if (thread) return thread;
      else if (threads.size < options.sessions) return startThread();
      else await turns.wait(signal);
    }
    throw new SignerUnavailableError('the signer is closed');
  };

  return {
    run: async (job, input, signal) => {
      signal.throwIfAborted();
      const thread = await acquire(signal);
      // A module cannot end a call: after an abort the thread stays busy until the module returns.
      const work = runJob(thread, { job, input }, options).finally(() => release(thread));
      return orAborted(signal, work);
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      for (const thread of idle.splice(0)) thread.close();
      turns.wakeAll();
    },
  };
};
