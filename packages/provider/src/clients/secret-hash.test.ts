import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generateSecret, hashSecret, isFastHash, matchesFastHash, matchesSlowHash } from './secret-hash.ts';

const bcryptCost = 4;

describe('generateSecret', () => {
  it('makes 26 characters, as Hydra does, that need no escaping, different each time', () => {
    const secrets = Array.from({ length: 100 }, generateSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Za-z0-9_-]{26}$/);
  });
});

describe('hashSecret', () => {
  it('keeps chosen secrets as bcrypt and generated ones as SHA-256', async () => {
    expect(await hashSecret('averylongsecret', { bcryptCost })).toMatch(/^\$2b\$04\$/);
    expect(await hashSecret(generateSecret(), { generated: true })).toMatch(/^\$sha256\$[A-Za-z0-9_-]{43}$/);
  });

  it('keeps what is longer than bcrypt reads as bcrypt of its digest', async () => {
    for (const secret of ['x'.repeat(73), 'é'.repeat(37), 'x'.repeat(1024)]) {
      expect(await hashSecret(secret, { bcryptCost })).toMatch(/^\$hmac-sha256\$2b\$04\$/);
    }
    expect(await hashSecret('é'.repeat(36), { bcryptCost })).toMatch(/^\$2b\$04\$/);
  });

  it.each(['secret\0', 'sec\0ret', `\0${'x'.repeat(80)}`])('refuses a NUL, where bcrypt stops: %j', async (secret) => {
    await expect(hashSecret(secret)).rejects.toMatchObject({ code: 'invalid_client_metadata' });
  });
});

describe('comparison', () => {
  it('matches the secret and no other', async () => {
    const secret = generateSecret();
    const [slow, fast] = await Promise.all([
      hashSecret(secret, { bcryptCost }),
      hashSecret(secret, { generated: true }),
    ]);
    expect([isFastHash(slow), isFastHash(fast)]).toEqual([false, true]);
    expect([await matchesSlowHash(secret, slow), matchesFastHash(secret, fast)]).toEqual([true, true]);
    expect([await matchesSlowHash(`${secret}x`, slow), matchesFastHash(`${secret}x`, fast)]).toEqual([false, false]);
  });

  it('does not take a secret whose first 72 bytes are right for right', async () => {
    const secret = 'x'.repeat(72);
    const encoded = await hashSecret(secret, { bcryptCost });
    expect(await matchesSlowHash(secret, encoded)).toBe(true);
    expect(await matchesSlowHash(`${secret}y`, encoded)).toBe(false);
    const short = await hashSecret('secret', { bcryptCost });
    expect(await matchesSlowHash('secret\0', short)).toBe(false);
  });

  it('compares all of a long secret, and a secret of other alphabets', async () => {
    for (const secret of ['x'.repeat(73), `${'é'.repeat(40)}x`, 'ein Schlüssel – 鍵 🔑', 'x'.repeat(1024)]) {
      const encoded = await hashSecret(secret, { bcryptCost });
      expect(await matchesSlowHash(secret, encoded)).toBe(true);
      for (const other of [secret.slice(0, -1), `${secret}x`, `y${secret.slice(1)}`, `${secret}\0`]) {
        expect(await matchesSlowHash(other, encoded), other).toBe(false);
      }
    }
  });

  it('refuses the digest of a secret in place of the secret, and the reverse', async () => {
    const secret = 'x'.repeat(80);
    const digest = createHmac('sha256', 'carnet client secret').update(secret).digest('base64url');
    const encoded = await hashSecret(secret, { bcryptCost });
    expect(await matchesSlowHash(digest, encoded)).toBe(false);
    expect(await matchesSlowHash(secret, await hashSecret(digest, { bcryptCost }))).toBe(false);
  });

  it('reads the hashes of earlier releases', async () => {
    const ofDigest = '$hmac-sha256$2b$04$kTrqlt4ZSm.cF4vXhNLaw.hiUpfuyBySzzScOmFJJYqVBbBt5cOke';
    expect(await matchesSlowHash('l'.repeat(100), ofDigest)).toBe(true);
    expect(
      await matchesSlowHash('averylongsecret', '$2b$04$lrrfdh/V7zy64uNkFmj4..vYCUd3Zt0rwU93tJm7mhZQcT3PYsEmK'),
    ).toBe(true);
  });

  it('matches nothing with what is no hash', async () => {
    for (const encoded of [
      '',
      '$2b$',
      'secret',
      '$sha256$',
      '$2b$04$short',
      '$hmac-sha256$',
      '$hmac-sha256$2b$04$short',
    ]) {
      expect(await matchesSlowHash('secret', encoded)).toBe(false);
      expect(matchesFastHash('secret', encoded)).toBe(false);
    }
  });

  it('reads the hashes of another bcrypt implementation, which reads its own', async () => {
    const { hash, compare } = await import('bcryptjs');
    expect(await matchesSlowHash('averylongsecret', await hash('averylongsecret', 4))).toBe(true);
    expect(await compare('averylongsecret', await hashSecret('averylongsecret', { bcryptCost: 4 }))).toBe(true);
  });
});
