import cluster, { type Worker } from 'node:cluster';
import type { Logger } from '@carnet/provider/server';
import { type ExitCode, exitCodes } from '../command.ts';
import { releaseCompiledCode } from '../compile-cache.ts';
import type { LoadOptions } from '../config/load-config.ts';
import type { CommandConfig } from '../config/schema.ts';
import type { Environment } from '../env.ts';
import type { ListenerName, ServerConfig } from './server.ts';
import type { FromWorker, ToWorker } from './worker.ts';
import { workerStartOf } from './worker-memory.ts';
import { createPrimaryQuestions, isQuestionMessage } from './worker-questions.ts';

export interface PrimaryOptions {
  readonly env: Environment;
  readonly config: CommandConfig;
  readonly issuers: ServerConfig['issuers'];
  /** The options that loaded the configuration, for the console. */
  readonly source?: Omit<LoadOptions, 'env'>;
  /** The only listener that the workers open. Default: both. */
  readonly only?: ListenerName;
  readonly logger: Logger;
  readonly err: (line: string) => void;
  /** Resolves with the reason when the process is asked to stop. */
  readonly stopped: Promise<string>;
}

interface Pool extends PrimaryOptions {
  readonly workerEnv: Readonly<Record<string, string>>;
  readonly workers: Set<Worker>;
  readonly restarts: Set<NodeJS.Timeout>;
  readonly ready: Set<Worker>;
  /** Whether any worker has become ready, which shows that the configuration works. */
  hasServed: boolean;
  /** Whether all workers have been ready at once. */
  isStarted: boolean;
  crashesInARow: number;
  /** The exit code. Undefined until the pool stops. */
  outcome?: ExitCode;
  readonly questions: ReturnType<typeof createPrimaryQuestions<Worker>>;
  readonly finish: (exitCode: ExitCode) => void;
}

type Ready = Extract<FromWorker, { readonly type: 'ready' }>;

/** A crash after this time starts a new row of crashes. */
const steadyMs = 60_000;

/** How long after `http.shutdownSeconds` a worker that has not ended is killed. */
const killAfterMs = 5_000;

/** The delay before a crashed worker is replaced. It doubles with each crash in a row, from 250 ms to 30 s. */
export const restartDelayMs = (crashesInARow: number): number => Math.min(30_000, 250 * 2 ** (crashesInARow - 1));

const send = (worker: Worker, message: ToWorker): void => {
  // The callback ignores the error of a worker that has just ended: 'exit' reports that.
  if (worker.isConnected()) worker.send(message, () => {});
};

const stop = (pool: Pool, exitCode: ExitCode): void => {
  if (pool.outcome !== undefined) return;
  pool.outcome = exitCode;
  for (const timer of pool.restarts) clearTimeout(timer);
  for (const worker of pool.workers) send(worker, { type: 'stop' });
  const kill = (): void => {
    for (const worker of pool.workers) worker.process.kill('SIGKILL');
  };
  setTimeout(kill, pool.config.http.shutdownSeconds * 1000 + killAfterMs).unref();
  if (pool.workers.size === 0) pool.finish(exitCode);
};

const onReady = (pool: Pool, worker: Worker, { urls }: Ready): void => {
  const { workers } = pool.config;
  pool.ready.add(worker);
  pool.hasServed = true;
  if (pool.isStarted || pool.ready.size < workers) return;
  pool.isStarted = true;
  pool.logger.info({ ...urls, workers }, 'ready');
  releaseCompiledCode();
};

const onMessage = (pool: Pool, worker: Worker, message: FromWorker): void => {
  if (isQuestionMessage(message)) {
    pool.questions.receive(worker, message);
    return;
  }
  if (message.type === 'ready') {
    onReady(pool, worker, message);
    return;
  }
  if (pool.outcome !== undefined) return;
  pool.err(`carnet: ${message.message}`);
  if (!pool.hasServed) stop(pool, message.exitCode);
};

const restart = (pool: Pool, servedMs: number, how: { exitCode: number | null; signal: string | null }): void => {
  pool.crashesInARow = servedMs > steadyMs ? 1 : pool.crashesInARow + 1;
  const delayMs = restartDelayMs(pool.crashesInARow);
  pool.logger.error({ ...how, delayMs }, 'a worker exited; starting another');
  const timer = setTimeout(() => {
    pool.restarts.delete(timer);
    start(pool);
  }, delayMs);
  pool.restarts.add(timer);
};

const start = (pool: Pool): void => {
  const startedAt = performance.now();
  const { config, issuers, source, only } = pool;
  const worker = cluster.fork(pool.workerEnv);
  pool.workers.add(worker);
  worker.on('message', (message: FromWorker) => onMessage(pool, worker, message));
  worker.once('online', () => send(worker, { type: 'config', config: { config, issuers }, source, only }));
  worker.once('exit', (code: number | null, signal: string | null) => {
    pool.workers.delete(worker);
    pool.ready.delete(worker);
    // A signal killed the worker, so another one may start.
    if (pool.outcome === undefined && !pool.hasServed && signal === null) {
      pool.err('carnet: a worker exited before it was ready. Its log has the reason.');
      stop(pool, exitCodes.failed);
    } else if (pool.outcome === undefined) {
      restart(pool, performance.now() - startedAt, { exitCode: code, signal });
    } else if (pool.workers.size === 0) {
      pool.finish(pool.outcome);
    }
  });
};

/**
 * Starts `config.workers` workers and replaces those that crash. Resolves when all have stopped: on request, or because a
 * worker failed before any worker was ready.
 */
export const runPrimary = (options: PrimaryOptions): Promise<ExitCode> =>
  new Promise((finish) => {
    const { execArgv, env: workerEnv } = workerStartOf(options.env, process.execArgv, {
      source: options.config.keys.source,
      hasIssuers: options.issuers.length > 0,
    });
    // The workers accept connections themselves. A connection that the primary hands to a worker is lost with a worker
    // that dies, while its client waits and the primary keeps its descriptor.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ execArgv: [...execArgv] });
    const workers = new Set<Worker>();
    const pool: Pool = {
      ...options,
      workerEnv,
      workers,
      restarts: new Set(),
      ready: new Set(),
      hasServed: false,
      isStarted: false,
      crashesInARow: 0,
      questions: createPrimaryQuestions(workers, send),
      finish,
    };
    void options.stopped.then((signal) => {
      options.logger.info({ signal }, 'stopping');
      stop(pool, exitCodes.ok);
    });
    for (let index = 0; index < options.config.workers; index += 1) start(pool);
  });
