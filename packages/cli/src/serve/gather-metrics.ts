import type { MetricsSnapshot } from '@carnet/provider/server';

/** What travels between a worker and the primary when one of them is asked for the metrics of all. */
export type MetricsMessage =
  /** A worker to the primary: what have all of us measured? */
  | { readonly type: 'gather'; readonly id: number }
  /** The primary to the other workers. */
  | { readonly type: 'measure'; readonly id: number }
  | { readonly type: 'measured'; readonly id: number; readonly snapshot: MetricsSnapshot }
  /** The primary to the worker that asked. */
  | { readonly type: 'gathered'; readonly id: number; readonly snapshots: readonly MetricsSnapshot[] };

const types: ReadonlySet<string> = new Set<MetricsMessage['type']>(['gather', 'measure', 'measured', 'gathered']);

export const isMetricsMessage = (message: { readonly type: string }): message is MetricsMessage =>
  types.has(message.type);

/** A worker that does not answer in time is left out: better an answer that lacks it than none. */
const workerTimeoutMs = 1_000;

type Send = (message: MetricsMessage) => void;

/** Questions that wait for an answer; `undefined` when none came in time. */
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
    /** What the primary says. */
    receive: (message: MetricsMessage): void => {
      if (message.type === 'gathered') questions.answer(message.id, message.snapshots);
      if (message.type !== 'measure') return;
      const { id } = message;
      void measure().then((snapshot) => send({ type: 'measured', id, snapshot }));
    },
    /** The metrics of all processes, this one's among them. */
    gather: async (): Promise<readonly MetricsSnapshot[]> => {
      const [mine, others = []] = await Promise.all([measure(), questions.ask((id) => send({ type: 'gather', id }))]);
      return [mine, ...others];
    },
    /** What this process has measured; to be said once it has begun to. */
    measureWith: (own: () => Promise<MetricsSnapshot>): void => {
      measure = own;
    },
  };
};

/** The primary's side: asks everybody but the one who asked. */
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
