import { createHmac, hash, pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { fieldError } from '../errors.ts';
import { randomText } from '../random.ts';

/** The number of rotated secrets that stay valid in addition to the current one. */
export const maxRotatedSecrets = 5;

/**
 * The stored form of a client secret: an encoded hash, whose prefix names its algorithm.
 *
 * - `$2b$...`: bcrypt, for secrets that an administrator chose.
 * - `$hmac-sha256$2b$...`: bcrypt of a digest, for chosen secrets that are longer than bcrypt reads.
 * - `$pbkdf2-sha256$...`: PBKDF2, of clients that were imported from Hydra. Carnet generates none.
 * - `$sha256$<base64url>`: for generated secrets. A slow hash protects secrets that can be guessed; 156 random bits can't be.
 */

const fastPrefix = '$sha256$';
const bcryptPattern = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/;

/** bcrypt ignores further bytes. */
const maxBcryptBytes = 72;
/** The longest client secret that is accepted. */
export const maxSecretBytes = 1024;

const digestPrefix = '$hmac-sha256';

/**
 * The text that bcrypt hashes in place of a long secret: 43 characters without a NUL. An HMAC, although its key is public:
 * an attacker can't try SHA-256 digests of the same secret that leaked elsewhere.
 */
const digestOf = (secret: string): string =>
  createHmac('sha256', 'carnet client secret').update(secret).digest('base64url');

/** 156 random bits in 26 characters that need no escaping. Hydra's secrets have 26 characters, too. */
export const generateSecret = (): string => randomText(20).slice(0, 26);

/** The hash of a generated secret, or of one that this process has in clear text anyhow. */
export const hashFast = (secret: string): string => `${fastPrefix}${hash('sha256', secret, 'base64url')}`;

const fitsBcrypt = (secret: string): boolean => Buffer.byteLength(secret) <= maxBcryptBytes;

const hasNul = (secret: string): boolean => secret.includes('\0');

/**
 * The hash of a secret that an administrator chose.
 * @param bcryptCost each step doubles the work
 * @throws CarnetError `invalid_client_metadata` for a secret with a NUL, where bcrypt stops reading
 */
export const hashSecret = async (secret: string, bcryptCost = 10): Promise<string> => {
  if (hasNul(secret)) throw fieldError('client_secret', 'must not contain NUL characters.');
  const bcrypt = await import('@node-rs/bcrypt');
  if (fitsBcrypt(secret)) return bcrypt.hash(secret, bcryptCost);
  return `${digestPrefix}${await bcrypt.hash(digestOf(secret), bcryptCost)}`;
};

/** Whether a hash can be compared without delay. */
export const isFastHash = (encoded: string): boolean => encoded.startsWith(fastPrefix);

/** Compares with the hash of a generated secret, in constant time. */
export const matchesFastHash = (secret: string, encoded: string): boolean => {
  const [actual, expected] = [Buffer.from(hashFast(secret)), Buffer.from(encoded)];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
};

const derive = promisify(pbkdf2);
const pbkdf2Digests = ['sha1', 'sha224', 'sha256', 'sha384', 'sha512'];
/** The imported hash determines the cost. This limit is about a second of one core. */
const maxPbkdf2Iterations = 2_000_000;
const pbkdf2Pattern = /^\$pbkdf2-(\w{4,6})\$i=(\d{1,7}),l=(\d{1,3})\$([\w+/]{1,128})\$([\w+/]{1,128})$/;

/** Hydra's form: `$pbkdf2-sha256$i=25000,l=32$<salt>$<key>`, base64 without padding. `undefined` for anything else. */
const parsePbkdf2 = (encoded: string) => {
  const [, digest = '', count, length, salt64 = '', key64 = ''] = pbkdf2Pattern.exec(encoded) ?? [];
  const [iterations, salt, key] = [Number(count), Buffer.from(salt64, 'base64'), Buffer.from(key64, 'base64')];
  const isSound =
    pbkdf2Digests.includes(digest) &&
    iterations >= 1 &&
    iterations <= maxPbkdf2Iterations &&
    key.length === Number(length) &&
    // A short key would match many secrets.
    key.length >= 16 &&
    key.length <= 64 &&
    salt.length <= 64;
  return isSound ? { digest, iterations, salt, key } : undefined;
};

/** Compares with a PBKDF2 hash (RFC 8018), in Node's thread pool. No secret matches a text that is not such a hash. */
const matchesPbkdf2 = async (secret: string, encoded: string): Promise<boolean> => {
  const parsed = parsePbkdf2(encoded);
  if (parsed === undefined) return false;
  const { salt, iterations, key, digest } = parsed;
  return timingSafeEqual(await derive(secret, salt, iterations, key.length, digest), key);
};

/** The cost that a hash from elsewhere may have at most: each step doubles it, and 15 is about two seconds. */
const maxImportedCost = 15;

/** Whether secrets can be compared with a hash from another server, at a limited cost. */
export const isForeignHash = (encoded: string): boolean =>
  (bcryptPattern.test(encoded) && Number(encoded.slice(4, 6)) <= maxImportedCost) || parsePbkdf2(encoded) !== undefined;

/** Compares with a slow hash: some milliseconds of CPU. A secret that bcrypt would truncate never matches. */
export const matchesSlowHash = async (secret: string, encoded: string): Promise<boolean> => {
  if (encoded.startsWith('$pbkdf2-')) return matchesPbkdf2(secret, encoded);
  const isOfDigest = encoded.startsWith(`${digestPrefix}$`);
  const bcryptHash = isOfDigest ? encoded.slice(digestPrefix.length) : encoded;
  // The length of a secret decides its kind of hash: a secret that bcrypt can read is never compared by its digest.
  if (hasNul(secret) || isOfDigest === fitsBcrypt(secret) || !bcryptPattern.test(bcryptHash)) return false;
  const bcrypt = await import('@node-rs/bcrypt');
  return bcrypt.verify(isOfDigest ? digestOf(secret) : secret, bcryptHash);
};
