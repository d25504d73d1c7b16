import { createHmac, pbkdf2Sync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  generateSecret,
  hashFast,
  hashSecret,
  isFastHash,
  isForeignHash,
  matchesFastHash,
  matchesSlowHash,
} from './secret-hash.ts';

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
    expect(await hashSecret('averylongsecret', bcryptCost)).toMatch(/^\$2b\$04\$/);
    expect(hashFast(generateSecret())).toMatch(/^\$sha256\$[A-Za-z0-9_-]{43}$/);
  });

  it('keeps what is longer than bcrypt reads as bcrypt of its digest', async () => {
    for (const secret of ['x'.repeat(73), 'é'.repeat(37), 'x'.repeat(1024)]) {
      expect(await hashSecret(secret, bcryptCost)).toMatch(/^\$hmac-sha256\$2b\$04\$/);
    }
    expect(await hashSecret('é'.repeat(36), bcryptCost)).toMatch(/^\$2b\$04\$/);
  });

  it.each(['secret\0', 'sec\0ret', `\0${'x'.repeat(80)}`])('refuses a NUL, where bcrypt stops: %j', async (secret) => {
    await expect(hashSecret(secret)).rejects.toMatchObject({ code: 'invalid_client_metadata' });
  });
});

describe('comparison', () => {
  it('matches the secret and no other', async () => {
    const secret = generateSecret();
    const [slow, fast] = [await hashSecret(secret, bcryptCost), hashFast(secret)];
    expect([isFastHash(slow), isFastHash(fast)]).toEqual([false, true]);
    expect([await matchesSlowHash(secret, slow), matchesFastHash(secret, fast)]).toEqual([true, true]);
    expect([await matchesSlowHash(`${secret}x`, slow), matchesFastHash(`${secret}x`, fast)]).toEqual([false, false]);
  });

  it('does not take a secret whose first 72 bytes are right for right', async () => {
    const secret = 'x'.repeat(72);
    const encoded = await hashSecret(secret, bcryptCost);
    expect(await matchesSlowHash(secret, encoded)).toBe(true);
    expect(await matchesSlowHash(`${secret}y`, encoded)).toBe(false);
    const short = await hashSecret('secret', bcryptCost);
    expect(await matchesSlowHash('secret\0', short)).toBe(false);
  });

  it('compares all of a long secret, and a secret of other alphabets', async () => {
    for (const secret of ['x'.repeat(73), `${'é'.repeat(40)}x`, 'ein Schlüssel – 鍵 🔑', 'x'.repeat(1024)]) {
      const encoded = await hashSecret(secret, bcryptCost);
      expect(await matchesSlowHash(secret, encoded)).toBe(true);
      for (const other of [secret.slice(0, -1), `${secret}x`, `y${secret.slice(1)}`, `${secret}\0`]) {
        expect(await matchesSlowHash(other, encoded), other).toBe(false);
      }
    }
  });

  it('refuses the digest of a secret in place of the secret, and the reverse', async () => {
    const secret = 'x'.repeat(80);
    const digest = createHmac('sha256', 'carnet client secret').update(secret).digest('base64url');
    const encoded = await hashSecret(secret, bcryptCost);
    expect(await matchesSlowHash(digest, encoded)).toBe(false);
    expect(await matchesSlowHash(secret, await hashSecret(digest, bcryptCost))).toBe(false);
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
    expect(await compare('averylongsecret', await hashSecret('averylongsecret', bcryptCost))).toBe(true);
  });
});

const encode = (secret: string, digest = 'sha256', iterations = 25_000, length = 32): string => {
  const salt = Buffer.from('0123456789abcdef');
  const key = pbkdf2Sync(secret, salt, iterations, length, digest);
  const plain = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$pbkdf2-${digest}$i=${iterations},l=${length}$${plain(salt)}$${plain(key)}`;
};

// RFC 7914 section 11: P="passwd", S="salt", c=1, dkLen=64.
const vector =
  '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbcbca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783';

describe('PBKDF2 hashes', () => {
  it.each(['sha1', 'sha256', 'sha512'])('are verified with %s', async (digest) => {
    const encoded = encode('a-secret', digest);
    expect(isForeignHash(encoded)).toBe(true);
    expect(await matchesSlowHash('a-secret', encoded)).toBe(true);
    expect(await matchesSlowHash('a-secreT', encoded)).toBe(false);
  });

  it('are those of the RFC', async () => {
    const key = Buffer.from(`${vector}0`.slice(0, 126), 'hex').subarray(0, 32);
    const encoded = `$pbkdf2-sha256$i=1,l=32$${Buffer.from('salt').toString('base64').replaceAll('=', '')}$${key.toString('base64').replaceAll('=', '')}`;
    expect(await matchesSlowHash('passwd', encoded)).toBe(true);
  });

  it.each([
    ['a digest that is weak or unknown', encode('a').replace('sha256', 'md5')],
    ['iterations without end', encode('a').replace('i=25000', 'i=9999999')],
    ['none', encode('a').replace('i=25000', 'i=0')],
    ['a length that is not its own', encode('a').replace('l=32', 'l=31')],
    ['a key that is too short', encode('a', 'sha256', 1, 8)],
    ['something else', '$2b$10$abc'],
    ['nothing', ''],
  ])('match nothing with %s', async (_what, encoded) => {
    expect(isForeignHash(encoded)).toBe(false);
    expect(await matchesSlowHash('a', encoded)).toBe(false);
  });
});
