import { Worker } from 'node:worker_threads';

interface Asked {
  readonly id: number;
  readonly secret: string;
}
export type ToThread = (Asked & { readonly cost: number }) | (Asked & { readonly encoded: string });
export type FromThread =
  | { readonly id: number; readonly result: string | boolean }
  | { readonly id: number; readonly error: string };

type Question =
  | { readonly secret: string; readonly cost: number }
  | { readonly secret: string; readonly encoded: string };

interface Waiting {
  resolve(result: string | boolean): void;
  reject(error: Error): void;
}

/** The program runs from source or from the build. */
const program = new URL(import.meta.url.endsWith('.ts') ? './bcrypt-thread.ts' : './bcrypt-thread.js', import.meta.url);

/** The JavaScript bcrypt in a thread of its own. The first call starts the thread. An idle thread does not keep the process alive. */
export const createBcryptInThread = (source = program) => {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let last = 0;

  const settle = (answer: FromThread): void => {
    const one = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) worker?.unref();
    if ('error' in answer) one?.reject(new Error(answer.error));
    else one?.resolve(answer.result);
  };
  /** All calls that the thread has not answered fail. The next call starts another thread. */
  const fail = (ended: Worker, error: Error): void => {
    if (worker !== ended) return;
    worker = undefined;
    const all = [...waiting.values()];
    waiting.clear();
    for (const one of all) one.reject(error);
  };
  const start = (): Worker => {
    const started = new Worker(source);
    started.on('message', settle);
    started.on('error', (error: Error) => fail(started, error));
    // The thread may also end without an error: pending comparisons are rejected.
    started.on('exit', () => fail(started, new Error('The thread that compares secrets has ended.')));
    return started;
  };
  const ask = (question: Question): Promise<string | boolean> =>
    new Promise((resolve, reject) => {
      worker ??= start();
      const id = ++last;
      waiting.set(id, { resolve, reject });
      // Keeps the process alive until the comparison has its result.
      worker.ref();
      worker.postMessage({ id, ...question } satisfies ToThread);
    });

  return {
    hash: async (secret: string, cost: number) => String(await ask({ secret, cost })),
    compare: async (secret: string, encoded: string) => (await ask({ secret, encoded })) === true,
  };
};
