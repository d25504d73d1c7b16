import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { z } from 'zod';

const ivBytes = 12;
const tagBytes = 16;

/** Keeps keys unreadable in the store: AES-256-GCM by a key that HKDF (RFC 5869) makes of a system secret for this alone. */
export interface Vault {
  /** JSON text. `place` is the id of the record it is for: in another record it does not open. */
  seal(place: string, text: string): string;
  /** What was sealed for this place, or nothing: with a secret that is not here, for another place, or changed since. */
  open(place: string, payload: string): string | undefined;
  /** Whether the first secret sealed it. */
  isCurrent(payload: string): boolean;
}

const sealedSchema = z.object({ secret: z.string(), sealed: z.string() });

const parse = (payload: string) => sealedSchema.parse(JSON.parse(payload));

const derive = (secret: string, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'carnet', JSON.stringify(['v1', 'stored-keys', use]), 32));

/** Unlike those of logins under way these keys know no day and no issuer: signing keys outlive both. */
const keyOf = (secret: string): KeyObject => createSecretKey(derive(secret, 'seal'));

/** Names a secret without telling of it: 48 bits of a key derived for nothing else. */
const nameOf = (secret: string): string => derive(secret, 'name').subarray(0, 6).toString('base64url');

/** The first secret seals, all of them open. */
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
      // Bound to its record: whoever can write to the store can't put one key in the place of another.
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
