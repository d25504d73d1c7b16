import { once } from 'node:events';
import { ConfigError } from '@carnet/provider/config';
import { createLogger } from '@carnet/provider/server';
import { type ExitCode, exitCodes } from '../command.ts';
import { releaseCompiledCode } from '../compile-cache.ts';
import type { LoadOptions } from '../config/load-config.ts';
import { environment } from '../env.ts';
import { explain } from '../explain.ts';
import { type ListenerName, openServer, type ServedUrls, type ServerConfig } from './server.ts';
import { collectSooner } from './worker-memory.ts';
import { createWorkerQuestions, isQuestionMessage, type QuestionMessage } from './worker-questions.ts';

/** A message of the primary. It sends the whole configuration, so that every worker has the same generated secrets. */
export type ToWorker =
  | {
      readonly type: 'config';
      readonly config: ServerConfig;
      /** Without the environment, which is that of the worker, too. */
      readonly source?: Omit<LoadOptions, 'env'>;
      readonly only?: ListenerName;
    }
  | { readonly type: 'stop' }
  | QuestionMessage;

/** A message of a worker. */
export type FromWorker =
  | { readonly type: 'ready'; readonly urls: ServedUrls }
  | { readonly type: 'failed'; readonly message: string; readonly exitCode: ExitCode }
  | QuestionMessage;

const report = (message: FromWorker): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(message, undefined, undefined, () => resolve());
  });

/** The primary decides when to stop. SIGINT from a terminal and SIGTERM from a service manager also reach the workers. */
const stopRequested = (): Promise<void> =>
  new Promise((resolve) => {
    process.on('message', (message: ToWorker) => {
      if (message.type === 'stop') resolve();
    });
    process.on('SIGTERM', () => resolve());
    process.on('SIGINT', () => {});
  });

/** Serves as one of several processes, until the primary sends `stop`. */
export const runWorker = async (open = openServer): Promise<ExitCode> => {
  collectSooner(environment());
  const stopped = stopRequested();
  const [message] = (await once(process, 'message')) as [ToWorker];
  if (message.type !== 'config') return exitCodes.ok;
  const { config, only } = message;
  const source = message.source && { ...message.source, env: environment() };
  try {
    const questions = createWorkerQuestions((message) => void report(message));
    process.on('message', (message: ToWorker) => {
      if (isQuestionMessage(message)) questions.receive(message);
    });
    const { gatherMetrics, purgeElsewhere } = questions;
    const logger = createLogger(config.config.log);
    const server = await open(config, logger, { only, source, gatherMetrics, purgeElsewhere });
    questions.answerWith({ metrics: server.metrics, purge: server.purgeUserCache });
    await report({ type: 'ready', urls: server.urls });
    releaseCompiledCode();
    await stopped;
    await server.close();
    return exitCodes.ok;
  } catch (error) {
    const isConfig = error instanceof ConfigError;
    const exitCode = isConfig ? exitCodes.config : exitCodes.failed;
    await report({ type: 'failed', message: isConfig ? error.message : explain(error), exitCode });
    return exitCode;
  }
};
