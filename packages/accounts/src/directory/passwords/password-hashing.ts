import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { parseArgon2 } from './argon2.ts';
import { createHashQueue, type HashQueueOptions } from './hash-queue.ts';
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

export interface PasswordHashingOptions extends HashQueueOptions {
  /** The cost of new hashes. Default: 19,456 KiB, 2 iterations, 1 lane (OWASP). */
  readonly memoryKiB?: number;
  readonly iterations?: number;
  readonly parallelism?: number;
}

const unpadded = (length: number): string => randomBytes(length).toString('base64').replaceAll('=', '');

export const createPasswordHashing = ({
  memoryKiB = 19_456,
  iterations = 2,
  parallelism = 1,
  ...limits
}: PasswordHashingOptions = {}): PasswordHashing => {
  const queue = createHashQueue(limits);
  const options = { memoryCost: memoryKiB, timeCost: iterations, parallelism };

  return {
    hash: (password, owner) => queue.run(owner, () => hash(password, options)),
    verify: async (encoded, password, owner) => {
      const parsed = parseHash(encoded);
      if (parsed === undefined || parsed.problem !== undefined) return false;
      return queue.run(owner, () => parsed.matches(password));
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
