import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PinHash } from '../second-factors.ts';

const digest = (salt: string, pin: string): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([salt, pin]))
    .digest();

/**
 * One round of SHA-256 with a salt, as privacyIDEA stores PINs. Use it only for random PINs of at least 16 characters,
 * for example those of machines that authenticate often. PINs that users choose need argon2id.
 */
export const saltedSha256: PinHash = {
  async hash(pin) {
    const salt = randomBytes(16).toString('base64url');
    return `$sha256$${salt}$${digest(salt, pin).toString('base64url')}`;
  },
  async verify(encoded, pin) {
    const [, scheme, salt, expected] = encoded.split('$');
    if (scheme !== 'sha256' || salt === undefined || expected === undefined) return false;
    const bytes = Buffer.from(expected, 'base64url');
    return bytes.length === 32 && timingSafeEqual(digest(salt, pin), bytes);
  },
};
