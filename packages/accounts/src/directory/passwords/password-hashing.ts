import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createWorkQueue } from '@carnet/adapter-contract/kit';
import { DirectoryError } from '../directory-error.ts';
import { parseArgon2 } from './argon2.ts';
import { runHashJob } from './hash-threads.ts';
import { parseHash } from './parse-hash.ts';

/** Makes and verifies password hashes. Create only one in a process, so that its limit on concurrent hashes applies to the whole process. */
export interface PasswordHashing {
  /**
   * An argon2id hash as a PHC string.
   *
   * @param owner whose password it is, such as the user's id. Owners take turns: see `verify`.
   * @throws DirectoryError `unavailable` if too many hashes are waiting
   */
  hash(password: string, owner: string): Promise<string>;
  /**
   * Whether the hash is of this password. False for a hash in an unknown format, or with parameters beyond the limits.
   *
   * @param owner whose hash it is. Owners take turns, so that attempts on one account do not delay other users.
   * @throws DirectoryError `unavailable` if too many hashes are waiting
   */
  verify(encoded: string, password: string, owner: string): Promise<boolean>;
  /** Whether the hash should be replaced at the next sign-in: it is not argon2id, or weaker than the hashes of `hash`. */
  needsRehash(encoded: string): boolean;
  /** A hash that matches no password, with the same cost as the hashes of `hash`. */
  readonly decoy: string;
}

export interface PasswordHashingOptions {
  /** How many hashes are computed at the same time. Default: the number of cores minus one, 1 to 3. */
  readonly concurrency?: number;
  /** How many hashes may wait, in total. Default: 64 for each hash that is computed. */
  readonly maxWaiting?: number;
  /** How many hashes may wait for one owner. Default: 8. */
  readonly maxWaitingPerOwner?: number;
  /** The cost of new hashes. Default: 19,456 KiB, 2 iterations, 1 lane (OWASP). */
  readonly memoryKiB?: number;
  readonly iterations?: number;
  readonly parallelism?: number;
}

/** One core remains for requests that need no hash. Each hash that is computed has 19 MB of memory. */
const defaultConcurrency = Math.min(3, Math.max(1, availableParallelism() - 1));

const full = (): DirectoryError =>
  new DirectoryError('unavailable', 'passwords', 'too many passwords are waiting for verification', {
    retryAfterSeconds: 2,
  });

const unpadded = (length: number): string => randomBytes(length).toString('base64').replaceAll('=', '');

export const createPasswordHashing = ({
  memoryKiB = 19_456,
  iterations = 2,
  parallelism = 1,
  concurrency = defaultConcurrency,
  maxWaiting = 64 * concurrency,
  maxWaitingPerOwner = 8,
}: PasswordHashingOptions = {}): PasswordHashing => {
  const queue = createWorkQueue({ concurrency, maxWaiting, maxWaitingPerOwner, full });
  const options = { memoryCost: memoryKiB, timeCost: iterations, parallelism };

  return {
    hash: (password, owner) =>
      queue.run(owner, async () => String(await runHashJob({ kind: 'hash', password, options }))),
    verify: async (encoded, password, owner) => {
      const parsed = parseHash(encoded);
      if (parsed === undefined || parsed.problem !== undefined) return false;
      return queue.run(owner, async () => (await runHashJob({ kind: 'verify', password, encoded })) === true);
    },
    needsRehash: (encoded) => {
      const found = parseArgon2(encoded);
      return (
        found === undefined ||
        found.variant !== 'id' ||
        found.version < 19 ||
        found.memoryKiB < memoryKiB ||
        found.iterations < iterations
      );
    },
    decoy: `$argon2id$v=19$m=${memoryKiB},t=${iterations},p=${parallelism}$${unpadded(16)}$${unpadded(32)}`,
  };
};
