// Computes password hashes in a thread with a low priority. Each message is a `HashJob`.
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync } from '@node-rs/argon2';
import type { HashJob, HashReply } from './hash-job.ts';
import { parseHash } from './parse-hash.ts';

/** On Linux, nice 5 gives this thread a third of the weight of a thread that computes no hash. */
const niceness = 5;
const lowest = 19;

const lowerPriority = (): void => {
  // Elsewhere the priority belongs to the process.
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, Math.min(lowest, getPriority(0) + niceness));
  } catch {
    // A sandbox may forbid it. The hashes are correct anyway.
  }
};

const run = (job: HashJob): HashReply => {
  try {
    if (job.kind === 'hash') return { result: hashSync(job.password, job.options) };
    return { result: parseHash(job.encoded)?.matches(job.password) ?? false };
  } catch (error) {
    return { failure: error instanceof Error ? error.name : 'unknown error' };
  }
};

lowerPriority();
parentPort?.on('message', (job: HashJob) => parentPort?.postMessage(run(job)));
