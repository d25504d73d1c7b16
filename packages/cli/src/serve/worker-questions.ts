import type { CreateProviderOptions } from '@carnet/provider';
import type { MetricsSnapshot } from '@carnet/provider/server';

type Purge = Parameters<NonNullable<CreateProviderOptions['purgeElsewhere']>>[0];

/** A question of one worker to all others. */
export type Question = { readonly about: 'metrics' } | { readonly about: 'purge'; readonly which: Purge };

/** The messages by which a worker asks all other workers, through the primary. */
export type QuestionMessage =
  /** A worker to the primary: ask all other workers. */
  | { readonly type: 'ask'; readonly id: number; readonly question: Question }
  /** The primary to each other worker. */
  | { readonly type: 'asked'; readonly id: number; readonly question: Question }
  | { readonly type: 'answered'; readonly id: number; readonly answer: unknown }
  /** The primary to the worker that asked. */
  | { readonly type: 'answers'; readonly id: number; readonly answers: readonly unknown[] };

const types: ReadonlySet<string> = new Set<QuestionMessage['type']>(['ask', 'asked', 'answered', 'answers']);

export const isQuestionMessage = (message: { readonly type: string }): message is QuestionMessage =>
  types.has(message.type);

/** A worker that does not answer in time is left out, so that the answers of the others still arrive. */
const workerTimeoutMs = 1_000;

type Send = (message: QuestionMessage) => void;

/** Requests by message that wait for an answer. The answer is undefined when none arrived in time. */
const createPending = <T>(timeoutMs: number) => {
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

/** The answers of this process, once the server is open. */
export interface Answers {
  readonly metrics: () => Promise<MetricsSnapshot>;
  readonly purge: (which: Purge) => Promise<number>;
}

/** The worker's side. */
export const createWorkerQuestions = (send: Send) => {
  const pending = createPending<readonly unknown[]>(2 * workerTimeoutMs);
  let own: Answers = { metrics: async () => [], purge: async () => 0 };
  const answerTo = (question: Question): Promise<unknown> =>
    question.about === 'metrics' ? own.metrics() : own.purge(question.which);
  const askOthers = async (question: Question): Promise<readonly unknown[]> =>
    (await pending.ask((id) => send({ type: 'ask', id, question }))) ?? [];
  return {
    /** Handles a message of the primary. */
    receive: (message: QuestionMessage): void => {
      if (message.type === 'answers') pending.answer(message.id, message.answers);
      if (message.type !== 'asked') return;
      const { id, question } = message;
      void answerTo(question).then(
        (answer) => send({ type: 'answered', id, answer }),
        () => send({ type: 'answered', id, answer: undefined }),
      );
    },
    /** The metrics of all workers, including this one. */
    gatherMetrics: async (): Promise<readonly MetricsSnapshot[]> => {
      const [mine, others] = await Promise.all([own.metrics(), askOthers({ about: 'metrics' })]);
      return [mine, ...(others as readonly MetricsSnapshot[])];
    },
    /** Purges the user caches of all other workers. Returns how many users they removed. */
    purgeElsewhere: async (which: Purge): Promise<number> => {
      const removed = (await askOthers({ about: 'purge', which })) as readonly number[];
      return removed.reduce((sum, count) => sum + count, 0);
    },
    /** Sets the functions that answer for this process. Called once, when the server is open. */
    answerWith: (answers: Answers): void => {
      own = answers;
    },
  };
};

/** The primary's side: asks every worker except the one that asked. */
export const createPrimaryQuestions = <Worker>(
  workers: ReadonlySet<Worker>,
  send: (to: Worker, message: QuestionMessage) => void,
) => {
  const pending = createPending<unknown>(workerTimeoutMs);
  const askAll = async (asker: Worker, { id, question }: QuestionMessage & { readonly type: 'ask' }): Promise<void> => {
    const others = [...workers].filter((worker) => worker !== asker);
    const answers = await Promise.all(
      others.map((worker) => pending.ask((asked) => send(worker, { type: 'asked', id: asked, question }))),
    );
    send(asker, { type: 'answers', id, answers: answers.filter((answer) => answer !== undefined) });
  };
  return {
    receive: (from: Worker, message: QuestionMessage): void => {
      if (message.type === 'ask') void askAll(from, message);
      if (message.type === 'answered') pending.answer(message.id, message.answer);
    },
  };
};
