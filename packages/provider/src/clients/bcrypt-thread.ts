// The thread that `bcrypt-in-thread.ts` starts.
import { parentPort } from 'node:worker_threads';
import { compare, hash } from 'bcryptjs';
import type { FromThread, ToThread } from './bcrypt-in-thread.ts';

const work = ({ secret, ...how }: ToThread): Promise<string | boolean> =>
  'cost' in how ? hash(secret, how.cost) : compare(secret, how.encoded);

parentPort?.on('message', async (asked: ToThread) => {
  const answer: FromThread = await work(asked).then(
    (result) => ({ id: asked.id, result }),
    (error: Error) => ({ id: asked.id, error: error.message }),
  );
  parentPort?.postMessage(answer);
});
