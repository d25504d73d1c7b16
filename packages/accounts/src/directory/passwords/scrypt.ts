import { scryptSync, timingSafeEqual } from 'node:crypto';
import { fromBase64, type ParsedHash, type Scheme } from './scheme.ts';

/** `$scrypt$ln=16,r=8,p=1$<salt>$<key>` (PHC, passlib). */
const phc = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([\w+/.]{1,128})\$([\w+/.]{20,128})$/;
/** `scrypt$16384$<salt>$8$5$<key>` (Django): the salt is text, not base64. */
const django = /^scrypt\$(\d{1,10})\$([^$]{1,128})\$(\d{1,3})\$(\d{1,3})\$([\w+/]{20,128}={0,2})$/;

interface Parts {
  /** The cost `N` of RFC 7914. */
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
  readonly salt: Buffer;
  readonly key: Buffer;
}

const partsOf = (encoded: string): Parts | undefined => {
  const [isPhc, logarithm, r, p, salt = '', key = ''] = phc.exec(encoded) ?? [];
  if (isPhc !== undefined)
    return {
      cost: 2 ** Number(logarithm),
      blockSize: Number(r),
      parallelization: Number(p),
      salt: fromBase64(salt),
      key: fromBase64(key),
    };
  const [isDjango, cost, text = '', blockSize, parallelization, djangoKey = ''] = django.exec(encoded) ?? [];
  if (isDjango === undefined) return undefined;
  return {
    cost: Number(cost),
    blockSize: Number(blockSize),
    parallelization: Number(parallelization),
    salt: Buffer.from(text),
    key: fromBase64(djangoKey),
  };
};

const maxBytes = 268_435_456;

const problemOf = ({ cost, blockSize, parallelization }: Parts): string | undefined => {
  if (cost < 2 || !Number.isInteger(Math.log2(cost))) return 'N must be a power of two';
  if (blockSize < 1 || parallelization < 1 || parallelization > 16) return 'r must be at least 1 and p must be 1 to 16';
  if (128 * cost * blockSize > maxBytes) return '128 * N * r must be at most 256 MiB';
  if (128 * cost * blockSize * parallelization > 2 * maxBytes) return '128 * N * r * p must be at most 512 MiB';
  return undefined;
};

const parsed = (parts: Parts): ParsedHash => {
  const { cost, blockSize, parallelization, salt, key } = parts;
  // OpenSSL needs some memory beyond 128 * N * r for `p` blocks.
  const options = { cost, blockSize, parallelization, maxmem: 2 * maxBytes };
  return {
    cost: `scrypt ${cost} ${blockSize} ${parallelization} ${key.length}`,
    problem: problemOf(parts),
    matches: (password) => timingSafeEqual(scryptSync(password, salt, key.length, options), key),
  };
};

/** scrypt (RFC 7914) in the formats of PHC, passlib and Django. */
export const scrypt: Scheme = (encoded) => {
  const parts = partsOf(encoded);
  return parts && parsed(parts);
};
