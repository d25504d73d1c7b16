import { createCipheriv, createDecipheriv } from 'node:crypto';
import { takeRandom } from '../random.ts';
import { decodeBase64url } from '../text/base64url.ts';
import type { KeyRing } from './key-ring.ts';
import type { Purpose } from './purposes.ts';

/** Plaintexts are padded to a multiple of this, so that the length of a URL reveals little about its content. */
const paddingBytes = 64;
const ivBytes = 12;
const tagBytes = 16;
// authTagLength makes a truncated tag fail. Without it, old Node versions accept four bytes.
const gcm = { authTagLength: tagBytes };
/** No sealed token is nearly as long. Longer input is rejected without decoding. */
const maxTokenLength = 131_072;

const headerPattern = /^\{"alg":"dir","enc":"A256GCM","kid":"([A-Za-z0-9._-]{1,16})"\}$/;

/** The protected header: the key id, the header as sent, and the authenticated bytes, which keep no shared pool of 64 KB alive. */
interface Header {
  readonly kid: string;
  readonly text: string;
  readonly bytes: Buffer;
}

const toHeader = (kid: string, text: string) => ({ kid, text, bytes: Buffer.alloc(text.length, text, 'ascii') });

const headerOf = (kid: string): Header =>
  toHeader(kid, Buffer.from(`{"alg":"dir","enc":"A256GCM","kid":"${kid}"}`).toString('base64url'));

/** ISO/IEC 7816-4: one 0x80, then zeros. */
const pad = (plaintext: Uint8Array): Buffer => {
  const padded = Buffer.allocUnsafe(Math.ceil((plaintext.length + 1) / paddingBytes) * paddingBytes);
  padded.set(plaintext);
  padded[plaintext.length] = 0x80;
  return padded.fill(0, plaintext.length + 1);
};

const unpad = (padded: Buffer): Buffer | undefined => {
  const end = padded.lastIndexOf(0x80);
  return end < 0 ? undefined : padded.subarray(0, end);
};

/** The header is matched as text and never parsed, so that it cannot contain `zip`, `crit`, `jku` or other members. */
const kidOf = (header: string): string | undefined =>
  headerPattern.exec(decodeBase64url(header)?.toString('latin1') ?? '')?.[1];

export interface Envelope {
  /** Encrypts bytes for one purpose as a compact JWE (RFC 7516, `dir` with `A256GCM`, no compression). */
  seal(purpose: Purpose, plaintext: Uint8Array): string;
  /** Decrypts a token that was sealed for this purpose by this issuer. Every failure returns undefined. */
  open(purpose: Purpose, token: string): Buffer | undefined;
}

export const createEnvelope = (keys: Pick<KeyRing, 'sealing' | 'opening'>): Envelope => {
  /** The header of the current key and the last opened header are cached. Few requests have another. */
  let sealing: Header | undefined;
  let opened: Header | undefined;

  const parseHeader = (text: string): Header | undefined => {
    if (text === opened?.text) return opened;
    const kid = kidOf(text);
    return kid === undefined ? undefined : toHeader(kid, text);
  };

  return {
    seal(purpose, plaintext) {
      const { kid, key } = keys.sealing(purpose);
      if (sealing?.kid !== kid) sealing = headerOf(kid);
      const iv = takeRandom(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv, gcm);
      cipher.setAAD(sealing.bytes);
      const ciphertext = cipher.update(pad(plaintext));
      cipher.final();
      const tag = cipher.getAuthTag();
      return `${sealing.text}..${iv.toString('base64url')}.${ciphertext.toString('base64url')}.${tag.toString('base64url')}`;
    },

    open(purpose, token) {
      // Apps pass query parameters on, which may be absent or repeated.
      if (typeof token !== 'string' || token.length > maxTokenLength) return undefined;
      const [headerText = '', encryptedKey, ivText = '', ciphertextText = '', tagText = '', ...rest] = token.split('.');
      if (encryptedKey !== '' || rest.length > 0) return undefined;
      const header = parseHeader(headerText);
      if (header === undefined) return undefined;
      const key = keys.opening(purpose, header.kid);
      if (key === undefined) return undefined;
      opened = header;
      const iv = decodeBase64url(ivText);
      const ciphertext = decodeBase64url(ciphertextText);
      const tag = decodeBase64url(tagText);
      if (iv?.length !== ivBytes || ciphertext === undefined || tag?.length !== tagBytes) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', key, iv, gcm);
      decipher.setAAD(header.bytes);
      decipher.setAuthTag(tag);
      const padded = decipher.update(ciphertext);
      try {
        decipher.final();
      } catch {
        return undefined;
      }
      return unpad(padded);
    },
  };
};
