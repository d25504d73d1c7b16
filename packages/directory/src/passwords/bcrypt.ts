import { Worker } from 'node:worker_threads';
import type { Scheme } from './scheme.ts';

const pattern = /^\$2[aby]\$(\d\d)\$[\w./]{53}$/;
const maxBytes = 72;
const maxCost = 14;

/** The program of the thread, in the source or in the build. */
const program = new URL(import.meta.url.endsWith('.ts') ? './bcrypt-thread.ts' : './bcrypt-thread.js', import.meta.url);

/**
 * Compares in a thread of its own, because the JavaScript bcrypt would block all other requests. A thread starts for each
 * comparison: bcrypt hashes are imported, and each is replaced by an argon2id hash at the user's next sign-in.
 */
const compare = (password: string, encoded: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(program, { workerData: { password, encoded } });
    thread.once('message', (matches: boolean) => resolve(matches));
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('the thread that compares a bcrypt hash ended without a result')));
  });

/** bcrypt (`$2a$`, `$2b$`, `$2y$`). */
export const bcrypt: Scheme = {
  name: 'bcrypt',
  parse: (encoded) => {
    const [match, cost] = pattern.exec(encoded) ?? [];
    if (match === undefined) return undefined;
    return {
      cost: `bcrypt ${Number(cost)}`,
      problem: Number(cost) < 4 || Number(cost) > maxCost ? `the cost must be 4 to ${maxCost}` : undefined,
      matches: async (password) => {
        const matches = await compare(password, encoded);
        // bcrypt ignores all bytes after the 72nd: a longer password would be accepted whatever it ends with.
        return matches && Buffer.byteLength(password) <= maxBytes;
      },
    };
  },
};
