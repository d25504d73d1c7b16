import { parseHash } from './parse-hash.ts';
import type { PasswordHashing } from './password-hashing.ts';

/** Checks passwords of one directory, in the same time for every user and for unknown users. */
export interface PasswordCheck {
  /**
   * Whether the hash is of this password. Without a hash (an unknown user) it is false, after the time that a wrong
   * password takes.
   *
   * @param owner whose hash it is, or the login of the unknown user
   * @throws DirectoryError `unavailable` if too many hashes are waiting
   */
  matches(encoded: string | undefined, password: string, owner: string): Promise<boolean>;
}

/** The most hashes that a refusal computes. Directories have few kinds of hashes; the limit keeps refusals fast after any import. */
const maxDecoys = 4;

/**
 * After an import a directory has hashes of several costs. A refusal therefore computes one hash of each cost that the
 * directory has, so that its duration does not reveal whether the user exists or which hash the user has.
 *
 * @param samples hashes of the directory; the costs of other hashes are added when they are first checked. Default: the hashes that `hashing` makes.
 */
export const createPasswordCheck = (
  hashing: Pick<PasswordHashing, 'verify' | 'decoy'>,
  samples: Iterable<string> = [hashing.decoy],
): PasswordCheck => {
  const decoys = new Map<string, string>();
  const learn = (encoded: string): string | undefined => {
    const parsed = parseHash(encoded);
    if (parsed === undefined || parsed.problem !== undefined) return undefined;
    if (decoys.size < maxDecoys && !decoys.has(parsed.cost)) decoys.set(parsed.cost, encoded);
    return parsed.cost;
  };
  for (const sample of samples) learn(sample);
  if (decoys.size === 0) learn(hashing.decoy);

  return {
    matches: async (encoded, password, owner) => {
      const cost = encoded === undefined ? undefined : learn(encoded);
      if (encoded !== undefined && cost !== undefined && (await hashing.verify(encoded, password, owner))) return true;
      // The results are ignored: these hashes belong to other users, or to no user.
      for (const [other, decoy] of decoys) if (other !== cost) await hashing.verify(decoy, password, owner);
      return false;
    },
  };
};
