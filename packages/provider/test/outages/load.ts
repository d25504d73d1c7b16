import { setTimeout as pause } from 'node:timers/promises';
import { ask, clientCredentials, introspection, listing, loggedIn, type StoreRequest } from './requests.ts';
import type { Stage } from './stage.ts';

export interface Load {
  /** Ends it; answers with what came of the requests, each verdict once. */
  stop(): Promise<readonly string[]>;
}

const clientCount = 20;
/** Between two requests of one client. Milliseconds. */
const rest = 50;

/** Twenty clients that ask one thing after the other. */
export const startLoad = (
  stage: Stage,
  requests: readonly StoreRequest[] = [introspection, clientCredentials, listing, loggedIn],
): Load => {
  const verdicts = new Set<string>();
  let isOver = false;
  const run = async (client: number): Promise<void> => {
    for (let turn = client; !isOver; turn++) {
      verdicts.add(await ask(requests[turn % requests.length] as StoreRequest, stage));
      await pause(rest);
    }
  };
  const running = Promise.all(Array.from({ length: clientCount }, (_, client) => run(client)));
  return {
    async stop() {
      isOver = true;
      await running;
      return [...verdicts].toSorted();
    },
  };
};
