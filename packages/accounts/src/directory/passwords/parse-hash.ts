import { argon2 } from './argon2.ts';
import { bcrypt } from './bcrypt.ts';
import { firebaseScrypt } from './firebase-scrypt.ts';
import { pbkdf2 } from './pbkdf2.ts';
import { saltedSha } from './salted-sha.ts';
import type { ParsedHash, Scheme } from './scheme.ts';
import { scrypt } from './scrypt.ts';

const schemes: readonly Scheme[] = [argon2, bcrypt, saltedSha, pbkdf2, scrypt, firebaseScrypt];

/** The hash in whichever format it has; undefined for an unknown format. */
export const parseHash = (encoded: string): ParsedHash | undefined => {
  for (const scheme of schemes) {
    const parsed = scheme(encoded);
    if (parsed !== undefined) return parsed;
  }
  return undefined;
};

/**
 * The reason why a hash cannot be imported: its format is unknown, or its parameters take too much memory or time.
 * Undefined if the hash can be verified. The text never contains the hash.
 */
export const passwordHashProblem = (encoded: string): string | undefined => {
  const parsed = parseHash(encoded);
  if (parsed === undefined)
    return 'is not a hash of argon2id, argon2i, bcrypt, {SSHA}, {SSHA512}, PBKDF2 or scrypt in a known format';
  return parsed.problem && `has parameters that are refused: ${parsed.problem}`;
};
