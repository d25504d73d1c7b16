import { Worker } from 'node:worker_threads';
import { SignerUnavailableError, SignerUnfitError } from '@carnet/signer-contract';
import type { Failure } from './thread/failure.ts';
import type { JobName, Jobs, Reply, ThreadSettings } from './thread/job.ts';

/** A thread with one session. */
export interface SessionThread {
  /** Rejects with a `JobError`. The caller waits for the result before it runs another job. */
  run<Name extends JobName>(job: Name, input: Jobs[Name]['input']): Promise<Jobs[Name]['result']>;
  /** The thread failed and runs no further job. */
  isDead(): boolean;
  /** Closes the session after the running job. Does not wait. */
  close(): void;
}

export class JobError extends Error {
  override readonly name = 'JobError';
  readonly kind: Failure['kind'];
  constructor({ kind, message }: Failure) {
    super(message);
    this.kind = kind;
  }
}

/** The error of the signer port. */
export const toSignerError = (error: unknown): unknown => {
  if (!(error instanceof JobError)) return error;
  return error.kind === 'unfit' || error.kind === 'pin'
    ? new SignerUnfitError(error.message)
    : new SignerUnavailableError(error.message);
};

const program = new URL(import.meta.url.endsWith('.ts') ? './thread/main.ts' : './thread/main.js', import.meta.url);

export const startSessionThread = (settings: ThreadSettings): SessionThread => {
  const worker = new Worker(program, { workerData: settings });
  let isDead = false;
  let waiting: { resolve(result: unknown): void; reject(error: JobError): void } | undefined;
  /** An idle thread does not keep the process alive. */
  worker.unref();
  const settle = (reply: Reply): void => {
    const job = waiting;
    waiting = undefined;
    worker.unref();
    if ('failure' in reply) job?.reject(new JobError(reply.failure));
    else job?.resolve(reply.result);
  };
  const die = (): void => {
    isDead = true;
    settle({ failure: { kind: 'unavailable', message: 'the thread of the PKCS #11 session ended' } });
  };
  worker.on('message', settle).on('error', die).on('exit', die);
  return {
    run: (job, input) =>
      new Promise((resolve, reject) => {
        if (isDead) return die();
        waiting = { resolve: resolve as (result: unknown) => void, reject };
        worker.ref();
        worker.postMessage({ job, input });
      }),
    isDead: () => isDead,
    close: () => worker.postMessage('close'),
  };
};
