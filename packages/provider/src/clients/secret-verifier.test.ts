import { describe, expect, it } from 'vitest';
import { generateSecret, hashFast, hashSecret, matchesSlowHash } from './secret-hash.ts';
import { createSecretVerifier, type SecretVerifierOptions } from './secret-verifier.ts';

const chosen = 'averylongsecret';
const slow = (secret: string) => hashSecret(secret, 4);

/** A verifier, and how many slow hashes it has computed. */
const counted = (options: SecretVerifierOptions = {}) => {
  let hashed = 0;
  const matches: typeof matchesSlowHash = (secret, encoded) => {
    hashed++;
    return matchesSlowHash(secret, encoded);
  };
  const { verify } = createSecretVerifier({ ...options, matches });
  return { verify, hashed: () => hashed };
};

describe('createSecretVerifier', () => {
  it('takes the current secret and the rotated ones, and no other', async () => {
    const generated = generateSecret();
    const hashes = [hashFast(generated), await slow(chosen), await slow('an-older-secret')];
    const { verify } = createSecretVerifier();
    for (const secret of [generated, chosen, 'an-older-secret']) expect(await verify('app', secret, hashes)).toBe(true);
    for (const secret of ['wrong-secret', chosen.slice(1), hashes[0] as string])
      expect(await verify('app', secret, hashes)).toBe(false);
    expect(await verify('app', chosen, [])).toBe(false);
  });

  it('hashes a right secret once and answers from memory afterwards', async () => {
    const hashes = [await slow(chosen)];
    const { verify, hashed } = counted();
    for (let i = 0; i < 5; i++) expect(await verify('app', chosen, hashes)).toBe(true);
    expect(hashed()).toBe(1);
  });

  it('never hashes for a generated secret', async () => {
    const secret = generateSecret();
    const { verify, hashed } = counted();
    expect(await verify('app', secret, [hashFast(secret)])).toBe(true);
    expect(hashed()).toBe(0);
  });

  it('does not remember wrong secrets', async () => {
    const hashes = [await slow(chosen)];
    const { verify, hashed } = counted();
    for (let i = 0; i < 3; i++) expect(await verify('app', 'wrong-secret', hashes)).toBe(false);
    expect(hashed()).toBe(3);
  });

  it('forgets after the seconds it is given, however often it was asked meanwhile', async () => {
    let nowMs = 1_000_000;
    const hashes = [await slow(chosen)];
    const { verify, hashed } = counted({ cacheSeconds: 60, now: () => nowMs });
    for (const step of [0, 30_000, 29_000]) {
      nowMs += step;
      expect(await verify('app', chosen, hashes)).toBe(true);
    }
    expect(hashed()).toBe(1);
    nowMs += 2000;
    expect(await verify('app', chosen, hashes)).toBe(true);
    expect(hashed()).toBe(2);
  });

  it('asks again when the stored hash is another, for the same secret too', async () => {
    const { verify, hashed } = counted();
    expect(await verify('app', chosen, [await slow(chosen)])).toBe(true);
    expect(await verify('app', chosen, [await slow('another-secret')])).toBe(false);
    expect(await verify('app', chosen, [await slow(chosen)])).toBe(true);
    expect(hashed()).toBe(3);
  });

  it('remembers for one client what it does not for another, whatever their names run into', async () => {
    const hashes = [await slow(chosen)];
    const { verify, hashed } = counted();
    expect(await verify('app', chosen, hashes)).toBe(true);
    expect(await verify('ap', `p${chosen}`, hashes)).toBe(false);
    expect(await verify(`app${chosen.length}:`, chosen, hashes)).toBe(true);
    expect(hashed()).toBe(3);
  });

  it('holds no more than it may', async () => {
    const hashes = [await slow(chosen)];
    const { verify, hashed } = counted({ cacheEntries: 2 });
    for (const id of ['a', 'b', 'c', 'c', 'b']) await verify(id, chosen, hashes);
    expect(hashed()).toBe(3);
    await verify('a', chosen, hashes);
    expect(hashed()).toBe(4);
  });

  it('hashes once for any number that send the same secret at the same time', async () => {
    const hashes = [await slow(chosen)];
    const { verify, hashed } = counted({ maxPending: 1 });
    const verdicts = await Promise.all(
      Array.from({ length: 50 }, (_, i) => verify('app', i % 2 ? chosen : 'wrong-secret', hashes)),
    );
    expect(verdicts.filter(Boolean)).toHaveLength(25);
    expect(hashed()).toBe(2);
  });

  it('refuses with too_busy what finds the queue full, and works on afterwards', async () => {
    const hashes = [await slow(chosen)];
    const { verify, hashed } = counted({ maxPending: 3 });
    const attempts = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => verify(`app-${i}`, 'wrong-secret', hashes)),
    );
    const refused = attempts.filter((attempt) => attempt.status === 'rejected');
    expect(refused).toHaveLength(15);
    expect(refused[0]?.reason).toMatchObject({ code: 'too_busy', status: 503 });
    expect(hashed()).toBe(5);
    expect(await verify('app', chosen, hashes)).toBe(true);
  });

  it('keeps at most two secrets of one client in the queue, and hashes another client’s right after them', async () => {
    const hashes = [await slow(chosen)];
    const { verify, hashed } = counted();
    const flood = Array.from({ length: 50 }, (_, i) => verify('flooded', `wrong-secret-${i}`, hashes));
    const attempts = Promise.allSettled(flood);
    expect(await verify('victim', chosen, hashes)).toBe(true);
    const refused = (await attempts).filter((attempt) => attempt.status === 'rejected');
    expect(refused).toHaveLength(48);
    expect(refused[0]?.reason).toMatchObject({ code: 'too_busy', status: 503 });
    expect(hashed()).toBe(3);
    expect(await verify('flooded', chosen, hashes)).toBe(true);
  });

  it('counts what the whole queue refused as left again', async () => {
    const hashes = [await slow(chosen)];
    const { verify } = createSecretVerifier({ maxPending: 0 });
    const busy = Promise.all([verify('a', 'wrong-secret', hashes), verify('b', 'wrong-secret', hashes)]);
    for (let i = 0; i < 5; i++) await expect(verify('app', chosen, hashes)).rejects.toMatchObject({ code: 'too_busy' });
    await busy;
    expect(await verify('app', chosen, hashes)).toBe(true);
  });

  it('answers known secrets while the queue is full', async () => {
    const hashes = [await slow(chosen)];
    const { verify } = createSecretVerifier({ maxPending: 0 });
    await verify('app', chosen, hashes);
    const flood = Promise.allSettled(['wrong-1', 'wrong-2', 'wrong-3'].map((secret) => verify('app', secret, hashes)));
    expect(await verify('app', chosen, hashes)).toBe(true);
    await flood;
  });

  it.each(['', `${chosen}\0`, `${chosen}\0\0\0`, `${chosen}\n`, `${chosen}\u007f`, 'x'.repeat(1025), 'é'.repeat(600)])(
    'refuses %j without hashing',
    async (secret) => {
      const { verify, hashed } = counted();
      expect(await verify('app', secret, [await slow(chosen)])).toBe(false);
      expect(hashed()).toBe(0);
    },
  );
});
