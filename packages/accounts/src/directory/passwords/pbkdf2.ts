import { pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import { fromBase64, type ParsedHash, type Scheme } from './scheme.ts';

const maxIterations = 4_000_000;

/** `$pbkdf2-sha256$i=600000,l=32$<salt>$<key>` (PHC) and `$pbkdf2-sha256$600000$<salt>$<key>` (passlib). */
const phc = /^\$pbkdf2-(sha1|sha256|sha512)\$(?:i=)?(\d{1,10})(?:,l=(\d{1,3}))?\$([\w+/.]{1,128})\$([\w+/.]{20,128})$/;
/** `pbkdf2_sha256$600000$<salt>$<key>`: the salt is text, not base64. */
const django = /^pbkdf2_(sha1|sha256|sha512)\$(\d{1,10})\$([^$]{1,128})\$([\w+/]{20,128}={0,2})$/;

interface Parts {
  readonly digest: string;
  readonly iterations: number;
  readonly salt: Buffer;
  readonly key: Buffer;
}

const partsOf = (encoded: string): Parts | undefined => {
  const [isPhc, digest = '', iterations, length, salt = '', key = ''] = phc.exec(encoded) ?? [];
  if (isPhc !== undefined) {
    const bytes = fromBase64(key);
    if (length !== undefined && Number(length) !== bytes.length) return undefined;
    return { digest, iterations: Number(iterations), salt: fromBase64(salt), key: bytes };
  }
  const [isDjango, djangoDigest = '', count, text = '', djangoKey = ''] = django.exec(encoded) ?? [];
  if (isDjango === undefined) return undefined;
  return { digest: djangoDigest, iterations: Number(count), salt: Buffer.from(text), key: fromBase64(djangoKey) };
};

const parsed = ({ digest, iterations, salt, key }: Parts): ParsedHash => ({
  cost: `pbkdf2 ${digest} ${iterations} ${key.length}`,
  problem: iterations < 1 || iterations > maxIterations ? `iterations must be 1 to ${maxIterations}` : undefined,
  matches: (password) => timingSafeEqual(pbkdf2Sync(password, salt, iterations, key.length, digest), key),
});

/** PBKDF2 (RFC 8018) in the formats of PHC, passlib and Django. */
export const pbkdf2: Scheme = (encoded) => {
  const parts = partsOf(encoded);
  return parts && parsed(parts);
};
