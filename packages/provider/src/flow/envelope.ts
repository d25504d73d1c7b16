import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto';
import type { KeyRing } from './key-ring.ts';
import type { Purpose } from './purposes.ts';

/** Lengths are rounded up to this, so that a URL's length tells little of what is inside. */
const paddingBytes = 64;
const ivBytes = 12;
const tagBytes = 16;
/** Nothing we seal comes near; what is longer is not looked at. */
const maxTokenLength = 131_072;

const encodeHeader = (kid: string) => Buffer.from(`{"alg":"dir","enc":"A256GCM","kid":"${kid}"}`).toString('base64url');
const headerPattern = /^\{"alg":"dir","enc":"A256GCM","kid":"([A-Za-z0-9._-]{1,16})"\}$/;

/** Randomness is drawn for many nonces at once: a call costs more than the bytes. */
const pool = Buffer.allocUnsafe(ivBytes * 256);
let poolOffset = pool.length;
const nextIv = (): Buffer => {
  if (poolOffset === pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  const iv = Buffer.from(pool.subarray(poolOffset, poolOffset + ivBytes));
  poolOffset += ivBytes;
  return iv;
};

/** ISO/IEC 7816-4: one 0x80, then zeros. */
const pad = (plaintext: Uint8Array): Buffer => {
  const padded = Buffer.alloc(Math.ceil((plaintext.length + 1) / paddingBytes) * paddingBytes);
  padded.set(plaintext);
  padded[plaintext.length] = 0x80;
  return padded;
};

const unpad = (padded: Buffer): Buffer | undefined => {
  const end = padded.lastIndexOf(0x80);
  return end < 0 ? undefined : padded.subarray(0, end);
};

/** Base64url without the leniency of `Buffer.from`: exactly one text decodes to given bytes. */
const decodeSegment = (segment: string): Buffer | undefined => {
  const bytes = Buffer.from(segment, 'base64url');
  return bytes.toString('base64url') === segment ? bytes : undefined;
};

export interface Envelope {
  /** Seal bytes for one purpose, as a compact JWE (RFC 7516, `dir` with `A256GCM`, no compression). */
  seal(purpose: Purpose, plaintext: Uint8Array): string;
  /** What was sealed for this purpose under this issuer, or nothing: every failure looks the same. */
  open(purpose: Purpose, token: string): Buffer | undefined;
}

export const createEnvelope = (keys: Pick<KeyRing, 'sealing' | 'opening'>): Envelope => ({
  seal(purpose, plaintext) {
    const { kid, key } = keys.sealing(purpose);
    const header = encodeHeader(kid);
    const iv = nextIv();
    const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
    cipher.setAAD(Buffer.from(header, 'ascii'));
    const ciphertext = cipher.update(pad(plaintext));
    cipher.final();
    const tag = cipher.getAuthTag();
    return `${header}..${iv.toString('base64url')}.${ciphertext.toString('base64url')}.${tag.toString('base64url')}`;
  },

  open(purpose, token) {
    if (token.length > maxTokenLength) return undefined;
    const [header = '', encryptedKey, ivText = '', ciphertextText = '', tagText = '', ...rest] = token.split('.');
    if (encryptedKey !== '' || rest.length > 0) return undefined;
    const decoded = decodeSegment(header);
    const iv = decodeSegment(ivText);
    const ciphertext = decodeSegment(ciphertextText);
    const tag = decodeSegment(tagText);
    if (decoded === undefined || iv?.length !== ivBytes || ciphertext === undefined || tag?.length !== tagBytes) {
      return undefined;
    }
    // The header is compared as text, never parsed: `zip`, `crit`, `jku` and the like can't be said at all.
    const kid = headerPattern.exec(decoded.toString('latin1'))?.[1];
    const key = kid === undefined ? undefined : keys.opening(purpose, kid);
    if (key === undefined) return undefined;
    // authTagLength is what makes a truncated tag fail: without it old Node versions accept four bytes.
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(header, 'ascii'));
    decipher.setAuthTag(tag);
    const padded = decipher.update(ciphertext);
    try {
      decipher.final();
    } catch {
      return undefined;
    }
    return unpad(padded);
  },
});
