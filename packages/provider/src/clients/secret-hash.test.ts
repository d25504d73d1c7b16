import { describe, expect, it } from 'vitest';
import { loadBcrypt } from './bcrypt.ts';
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

  it.each(['x'.repeat(73), 'é'.repeat(37), 'secret\0', 'sec\0ret'])(
    'refuses what bcrypt would cut: %j',
    async (secret) => {
      await expect(hashSecret(secret)).rejects.toMatchObject({ code: 'invalid_client_metadata' });
    },
  );
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

  it('matches nothing with what is no hash', async () => {
    for (const encoded of ['', '$2b$', 'secret', '$sha256$', '$2b$04$short']) {
      expect(await matchesSlowHash('secret', encoded)).toBe(false);
      expect(matchesFastHash('secret', encoded)).toBe(false);
    }
  });

  it('reads the hashes of the other bcrypt implementation', async () => {
    const { hash, compare } = await import('bcryptjs');
    expect(await matchesSlowHash('averylongsecret', await hash('averylongsecret', 4))).toBe(true);
    const { hash: loaded } = await loadBcrypt();
    expect(await compare('averylongsecret', await loaded('averylongsecret', 4))).toBe(true);
  });
});
