// The thread that `bcrypt.ts` starts.
import { parentPort, workerData } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';

const { password, encoded } = workerData as { readonly password: string; readonly encoded: string };
parentPort?.postMessage(compareSync(password, encoded));
