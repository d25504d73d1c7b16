import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { parseJson } from '@carnet/adapter-contract/kit';
import { z } from 'zod';
import { decodeBase64url } from '../../text/base64url.ts';

const ivBytes = 12;
const tagBytes = 16;

const sealedSchema = z.object({ secret: z.string(), sealed: z.string() });

type Sealed = z.output<typeof sealedSchema>;

interface Purpose {
  readonly name: string;
  /** The text of a sealed value, and back. `decode` returns undefined for any other text. */
  encode(value: Sealed): string;
  decode(text: string): Sealed | undefined;
}

/** The purposes of vaults. Each has keys of its own, so that a text of one purpose is not accepted for another. Never change a name. */
const purposes = {
  storedKeys: {
    name: 'stored-keys',
    encode: (value) => JSON.stringify(value),
    decode: (text) => sealedSchema.safeParse(parseJson(text)).data,
  },
  /** For links and hidden fields. */
  accounts: {
    name: 'accounts',
    encode: ({ secret, sealed }) => `${secret}.${sealed}`,
    decode: (text) => {
      const [secret = '', sealed, ...rest] = text.split('.');
      return sealed === undefined || rest.length > 0 ? undefined : { secret, sealed };
    },
  },
} as const satisfies Record<string, Purpose>;

const derive = (secret: string, purpose: string, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'carnet', JSON.stringify(['v1', purpose, use]), 32));

/**
 * Encrypts texts: AES-256-GCM with a key that HKDF (RFC 5869) derives from a system secret for the purpose of the vault. The
 * first secret encrypts, all decrypt.
 */
export const createVault = (secrets: readonly string[], purpose: keyof typeof purposes = 'storedKeys') => {
  const { name, encode, decode } = purposes[purpose];
  /** Unlike the keys of flow states, these keys do not depend on the day and the issuer: sealed texts outlive both. */
  const keyOf = (secret: string): KeyObject => createSecretKey(derive(secret, name, 'seal'));
  /** A name that reveals nothing about the secret: 48 bits of a key derived for this purpose only. */
  const nameOf = (secret: string): string => derive(secret, name, 'name').subarray(0, 6).toString('base64url');
  const keys = new Map(secrets.map((secret) => [nameOf(secret), keyOf(secret)]));
  const [current = ''] = keys.keys();
  return {
    /** Encrypts a text. `place` is the id of its record: in another record it cannot be decrypted. */
    seal(place: string, text: string): string {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', keys.get(current) as KeyObject, iv, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(place));
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return encode({ secret: current, sealed: sealed.toString('base64url') });
    },
    /** Undefined if the secret is unknown, or the text belongs to another record or was changed. */
    open(place: string, payload: string): string | undefined {
      const parsed = decode(payload);
      const key = keys.get(parsed?.secret ?? '');
      const bytes = decodeBase64url(parsed?.sealed ?? '');
      if (key === undefined || bytes === undefined || bytes.length < ivBytes + tagBytes) return undefined;
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
    /** Whether a text is encrypted with the first secret. */
    isCurrent: (payload: string): boolean => decode(payload)?.secret === current,
  };
};

export type Vault = ReturnType<typeof createVault>;
