import { Worker } from 'node:worker_threads';
import type { HashJob, HashReply } from './hash-job.ts';

interface HashThread {
  /** The caller waits for the result before it runs another job. */
  run(job: HashJob): Promise<string | boolean>;
  isDead(): boolean;
  end(): void;
}

const program = new URL(import.meta.url.endsWith('.ts') ? './hash-thread.ts' : './hash-thread.js', import.meta.url);

const failed = (reason: string): Error => new Error(`A password hash was not computed: ${reason}.`);

const startThread = (): HashThread => {
  // No value outlives its job, so a small young generation is enough.
  const worker = new Worker(program, { resourceLimits: { maxYoungGenerationSizeMb: 2 } });
  let isDead = false;
  let waiting: PromiseWithResolvers<string | boolean> | undefined;
  const settle = (reply: HashReply): void => {
    const job = waiting;
    waiting = undefined;
    // An idle thread does not keep the process alive.
    worker.unref();
    if ('failure' in reply) job?.reject(failed(reply.failure));
    else job?.resolve(reply.result);
  };
  const die = (): void => {
    isDead = true;
    settle({ failure: 'its thread ended' });
  };
  worker.on('message', settle).on('error', die).on('exit', die);
  worker.unref();
  return {
    run(job) {
      waiting = Promise.withResolvers();
      worker.ref();
      worker.postMessage(job);
      return waiting.promise;
    },
    isDead: () => isDead,
    end: () => void worker.terminate(),
  };
};

/**
 * Runs jobs in threads of their own with a low priority: a hash keeps a core busy for some 20 ms, and with the priority of the
 * process it would delay every other request when the cores are busy. The caller limits how many jobs run at once. A thread
 * that had no job for `idleMs` ends, because it takes 15 MB of memory.
 */
export const createHashThreads = ({ idleMs }: { readonly idleMs: number }) => {
  /** The threads without a job. The last used one is at the end. */
  const idle: { readonly thread: HashThread; readonly timer: NodeJS.Timeout }[] = [];

  const takeIdle = (): HashThread | undefined => {
    const last = idle.pop();
    if (last === undefined) return undefined;
    clearTimeout(last.timer);
    return last.thread.isDead() ? takeIdle() : last.thread;
  };

  const putIdle = (thread: HashThread): void => {
    const end = (): void => {
      idle.splice(idle.indexOf(entry), 1);
      thread.end();
    };
    const entry = { thread, timer: setTimeout(end, idleMs).unref() };
    idle.push(entry);
  };

  return async (job: HashJob): Promise<string | boolean> => {
    const thread = takeIdle() ?? startThread();
    try {
      return await thread.run(job);
    } finally {
      if (!thread.isDead()) putIdle(thread);
    }
  };
};

/** The threads of this process. */
export const runHashJob = createHashThreads({ idleMs: 30_000 });
