import type { MetricsSnapshot } from '@carnet/provider/server';

/** The messages by which a worker collects the metrics of all workers from the primary. */
export type MetricsMessage =
  /** A worker to the primary: collect the metrics of all workers. */
  | { readonly type: 'gather'; readonly id: number }
  /** The primary to each other worker: send your metrics. */
  | { readonly type: 'measure'; readonly id: number }
  | { readonly type: 'measured'; readonly id: number; readonly snapshot: MetricsSnapshot }
  /** The primary to the worker that asked. */
  | { readonly type: 'gathered'; readonly id: number; readonly snapshots: readonly MetricsSnapshot[] };

const types: ReadonlySet<string> = new Set<MetricsMessage['type']>(['gather', 'measure', 'measured', 'gathered']);

export const isMetricsMessage = (message: { readonly type: string }): message is MetricsMessage =>
  types.has(message.type);

/** A worker that does not answer in time is left out, so that the metrics of the others are still reported. */
const workerTimeoutMs = 1_000;

type Send = (message: MetricsMessage) => void;

/** Requests by message that wait for an answer. The answer is undefined when none arrived in time. */
const createQuestions = <T>(timeoutMs: number) => {
  const waiting = new Map<number, (answer: T | undefined) => void>();
  let last = 0;
  const answer = (id: number, value: T | undefined): void => {
    waiting.get(id)?.(value);
    waiting.delete(id);
  };
  const ask = (send: (id: number) => void): Promise<T | undefined> =>
    new Promise((resolve) => {
      const id = ++last;
      const timer = setTimeout(answer, timeoutMs, id, undefined);
      waiting.set(id, (value) => {
        clearTimeout(timer);
        resolve(value);
      });
      send(id);
    });
  return { ask, answer };
};

/** The worker's side. */
export const createWorkerMetrics = (send: Send) => {
  const questions = createQuestions<readonly MetricsSnapshot[]>(2 * workerTimeoutMs);
  let measure: () => Promise<MetricsSnapshot> = async () => [];
  return {
    /** Handles a message of the primary. */
    receive: (message: MetricsMessage): void => {
      if (message.type === 'gathered') questions.answer(message.id, message.snapshots);
      if (message.type !== 'measure') return;
      const { id } = message;
      void measure().then((snapshot) => send({ type: 'measured', id, snapshot }));
    },
    /** The metrics of all workers, including this one. */
    gather: async (): Promise<readonly MetricsSnapshot[]> => {
      const [mine, others = []] = await Promise.all([measure(), questions.ask((id) => send({ type: 'gather', id }))]);
      return [mine, ...others];
    },
    /** Sets the function that measures this process. Called once, when the server is open. */
    measureWith: (own: () => Promise<MetricsSnapshot>): void => {
      measure = own;
    },
  };
};

/** The primary's side: asks every worker except the one that asked. */
export const createPrimaryMetrics = <Worker>(
  workers: ReadonlySet<Worker>,
  send: (to: Worker, message: MetricsMessage) => void,
) => {
  const questions = createQuestions<MetricsSnapshot>(workerTimeoutMs);
  const gather = async (asker: Worker, id: number): Promise<void> => {
    const others = [...workers].filter((worker) => worker !== asker);
    const snapshots = await Promise.all(
      others.map((worker) => questions.ask((question) => send(worker, { type: 'measure', id: question }))),
    );
    send(asker, { type: 'gathered', id, snapshots: snapshots.filter((snapshot) => snapshot !== undefined) });
  };
  return {
    receive: (from: Worker, message: MetricsMessage): void => {
      if (message.type === 'gather') void gather(from, message.id);
      if (message.type === 'measured') questions.answer(message.id, message.snapshot);
    },
  };
};
