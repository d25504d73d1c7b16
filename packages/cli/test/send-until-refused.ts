import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const fetchVia = (agent: Agent, url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = get(url, { agent }, (response) => {
      response.resume();
      response.once('end', resolve).once('error', reject);
    });
    sent.once('error', (error) => reject(Object.assign(error, { isKept: sent.reusedSocket })));
  });

interface Refusal {
  /** The code of the client's first error. */
  readonly code: string | undefined;
  /** Whether the connection had served a request before. */
  readonly isKept: boolean;
  /** The longest time between two requests. On a busy machine it is longer than the pause. */
  readonly longestPauseMs: number;
}

/** One client: a request after the other on a connection that is kept, until the first error. */
export const sendUntilRefused = async (url: string, pauseMs: number): Promise<Refusal> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let longestPauseMs = 0;
  let endedAt = performance.now();
  try {
    for (;;) {
      longestPauseMs = Math.max(longestPauseMs, performance.now() - endedAt);
      await fetchVia(agent, url);
      endedAt = performance.now();
      if (pauseMs > 0) await delay(pauseMs);
    }
  } catch (error) {
    const { code, isKept } = error as NodeJS.ErrnoException & { isKept: boolean };
    return { code, isKept, longestPauseMs };
  } finally {
    agent.destroy();
  }
};

/**
 * The refusals of clients that never paused for 80 % of `announceSeconds`. A server that stops closes connections that are
 * silent for so long: a client that the machine kept waiting may be reset.
 */
export const punctual = (refusals: readonly Refusal[], announceSeconds = 1): readonly Refusal[] =>
  refusals.filter(({ longestPauseMs }) => longestPauseMs < announceSeconds * 800);
