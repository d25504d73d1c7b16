import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import type { Vault } from '@carnet/second-factors';

const key = hash('sha256', 'the secret of the tests', 'buffer');

/** AES-256-GCM, as the vault of the provider: it throws for a text that is no sealed text. */
export const createTestVault = (): Vault => ({
  seal: (place, text) => {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place));
    const bytes = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return JSON.stringify({ sealed: bytes.toString('base64url') });
  },
  open: (place, sealed) => {
    const bytes = Buffer.from((JSON.parse(sealed) as { sealed: string }).sealed, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(place));
    decipher.setAuthTag(bytes.subarray(-16));
    try {
      return decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return undefined;
    }
  },
  isCurrent: () => true,
});
