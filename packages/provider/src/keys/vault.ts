import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { z } from 'zod';

const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts keys in the store: AES-256-GCM with a key that HKDF (RFC 5869) derives from a system secret for this
 * purpose.
 */
export interface Vault {
  /** Encrypts JSON text. `place` is the id of its record: in another record it cannot be decrypted. */
  seal(place: string, text: string): string;
  /**
   * Decrypts the text of this record. Undefined if its secret is unknown, it belongs to another record, or it was
   * changed.
   */
  open(place: string, payload: string): string | undefined;
  /** Whether it is encrypted with the first secret. */
  isCurrent(payload: string): boolean;
}

const sealedSchema = z.object({ secret: z.string(), sealed: z.string() });

const parse = (payload: string) => sealedSchema.parse(JSON.parse(payload));

const derive = (secret: string, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'carnet', JSON.stringify(['v1', 'stored-keys', use]), 32));

/** Unlike the keys of flow states, these keys do not depend on the day and the issuer: signing keys outlive both. */
const keyOf = (secret: string): KeyObject => createSecretKey(derive(secret, 'seal'));

/** A name that reveals nothing about the secret: 48 bits of a key derived for this purpose only. */
const nameOf = (secret: string): string => derive(secret, 'name').subarray(0, 6).toString('base64url');

/** The first secret encrypts, all decrypt. */
export const createVault = (secrets: readonly string[]): Vault => {
  const keys = new Map(secrets.map((secret) => [nameOf(secret), keyOf(secret)]));
  const [current = ''] = keys.keys();
  return {
    seal(place, text) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', keys.get(current) as KeyObject, iv, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(place));
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return JSON.stringify({ secret: current, sealed: sealed.toString('base64url') });
    },
    open(place, payload) {
      const { secret, sealed } = parse(payload);
      const key = keys.get(secret);
      const bytes = Buffer.from(sealed, 'base64url');
      if (key === undefined || bytes.length < ivBytes + tagBytes) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
      // Bound to its record: an attacker who can write to the store cannot replace one key by another.
      decipher.setAAD(Buffer.from(place));
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      try {
        const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]);
        return text.toString('utf8');
      } catch {
        return undefined;
      }
    },
    isCurrent: (payload) => parse(payload).secret === current,
  };
};
