import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Request } from '../users/http-pool.ts';
import { createLatencies, type Latencies } from './latencies.ts';

export interface ProbeOptions {
  /** The origin. */
  readonly url: string;
  /** It must be answered with 200. */
  readonly request: Request;
}

/**
 * The latencies of one request every 20 ms while `during` runs. They are measured in a process of its own: the event loop of a
 * load generator is busy, and its delay is not the server's.
 */
export const probe = async (options: ProbeOptions, during: () => Promise<unknown>): Promise<Latencies> => {
  const child = fork(fileURLToPath(new URL('probe-process.ts', import.meta.url)), { stdio: 'inherit' });
  try {
    child.send(options);
    await during();
    child.send('stop');
    const [measured] = (await once(child, 'message', { signal: AbortSignal.timeout(10_000) })) as [readonly number[]];
    const latencies = createLatencies();
    for (const ms of measured) latencies.record(ms);
    return latencies;
  } finally {
    child.disconnect();
  }
};
