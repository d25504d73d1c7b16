import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import type { Vault } from '../src/second-factors/index.ts';

const keyOf = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** AES-256-GCM with the first secret; all secrets decrypt. It behaves as the vault of the provider. */
export const createTestVault = (current = 'the secret of the tests', ...earlier: readonly string[]): Vault => {
  const secrets = [current, ...earlier];
  const parse = (sealed: string): { name: string; bytes: Buffer } => {
    const [name = '', text = ''] = sealed.split('.');
    return { name, bytes: Buffer.from(text, 'base64url') };
  };
  const nameOf = (secret: string): string => hash('sha256', `name of ${secret}`).slice(0, 8);
  return {
    seal(place, text) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', keyOf(current), iv).setAAD(Buffer.from(place));
      const bytes = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${nameOf(current)}.${bytes.toString('base64url')}`;
    },
    open(place, sealed) {
      const { name, bytes } = parse(sealed);
      const secret = secrets.find((each) => nameOf(each) === name);
      if (secret === undefined) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, 12)).setAAD(Buffer.from(place));
      decipher.setAuthTag(bytes.subarray(-16));
      try {
        return decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        return undefined;
      }
    },
    isCurrent: (sealed) => parse(sealed).name === nameOf(current),
  };
};
