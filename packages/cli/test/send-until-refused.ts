import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const fetchVia = (agent: Agent, url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = get(url, { agent }, (response) => {
      response.resume();
      response.once('end', resolve).once('error', reject);
    });
    sent.once('error', reject);
  });

/** One client: a request after the other on a connection that is kept. Answers the code of its first error. */
export const sendUntilRefused = async (url: string, pauseMs: number): Promise<string | undefined> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (;;) {
      await fetchVia(agent, url);
      if (pauseMs > 0) await delay(pauseMs);
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  } finally {
    agent.destroy();
  }
};
