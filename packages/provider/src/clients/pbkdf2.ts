import { pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(pbkdf2);

const digests = ['sha1', 'sha224', 'sha256', 'sha384', 'sha512'];
/** The imported hash determines the cost. This limit is about a second of one core. */
const maxIterations = 2_000_000;
const maxKeyBytes = 64;
const maxSaltBytes = 64;

interface Pbkdf2Hash {
  readonly digest: string;
  readonly iterations: number;
  readonly salt: Buffer;
  readonly key: Buffer;
}

const pattern = /^\$pbkdf2-(\w{4,6})\$i=(\d{1,7}),l=(\d{1,3})\$([\w+/]{1,128})\$([\w+/]{1,128})$/;

/** Hydra's form: `$pbkdf2-sha256$i=25000,l=32$<salt>$<key>`, base64 without padding. `undefined` for anything else. */
const parse = (encoded: string): Pbkdf2Hash | undefined => {
  const [, digest = '', count, length, salt64 = '', key64 = ''] = pattern.exec(encoded) ?? [];
  const [iterations, salt, key] = [Number(count), Buffer.from(salt64, 'base64'), Buffer.from(key64, 'base64')];
  const isSound =
    digests.includes(digest) &&
    iterations >= 1 &&
    iterations <= maxIterations &&
    key.length === Number(length) &&
    // A short key would match many secrets.
    key.length >= 16 &&
    key.length <= maxKeyBytes &&
    salt.length <= maxSaltBytes;
  return isSound ? { digest, iterations, salt, key } : undefined;
};

/** Whether a hash is one that `matchesPbkdf2` can compare with. */
export const isPbkdf2Hash = (encoded: string): boolean => parse(encoded) !== undefined;

/** Compares with a PBKDF2 hash (RFC 8018), in Node's thread pool. No secret matches a text that is not such a hash. */
export const matchesPbkdf2 = async (secret: string, encoded: string): Promise<boolean> => {
  const hash = parse(encoded);
  if (hash === undefined) return false;
  const { salt, iterations, key, digest } = hash;
  return timingSafeEqual(await derive(secret, salt, iterations, key.length, digest), key);
};
