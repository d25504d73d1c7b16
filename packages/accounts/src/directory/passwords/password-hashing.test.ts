import { describe, expect, it, test } from 'vitest';
import { createPasswordCheck } from './password-check.ts';
import { createPasswordHashing } from './password-hashing.ts';

const ssha = '{SSHA}y/ZQUIMMP8oS6v2iL0Ygf4Efil4wMTIzNDU2Nw==';

describe('new hashes', () => {
  const hashing = createPasswordHashing();

  it('are argon2id with a salt of their own', async () => {
    const [first, second] = [await hashing.hash('secret', 'a'), await hashing.hash('secret', 'a')];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).not.toBe(second);
    expect(await hashing.verify(first, 'secret', 'a')).toBe(true);
    expect(await hashing.verify(first, 'Secret', 'a')).toBe(false);
  });

  it('replace hashes that are weaker or of another kind', async () => {
    const hash = (m: number, t: number, variant = 'id', version = 'v=19$') =>
      `$argon2${variant}$${version}m=${m},t=${t},p=1$MDEyMzQ1Njc4OWFiY2RlZg$Xlys7Bu6RvRr0sd3oPwwRMnQHAaucvxFwlTn8UdpAxY`;
    const weak = [hash(19_455, 2), hash(19_456, 1), hash(19_456, 2, 'i'), hash(19_456, 2, 'id', ''), ssha, 'unknown'];
    expect(weak.filter((each) => !hashing.needsRehash(each))).toEqual([]);
    const strong = [await hashing.hash('secret', 'a'), hash(65_536, 3)];
    expect(strong.filter((each) => hashing.needsRehash(each))).toEqual([]);
  });

  it('have a decoy of the same cost that no password matches', async () => {
    expect(hashing.needsRehash(hashing.decoy)).toBe(false);
    expect(await hashing.verify(hashing.decoy, 'secret', 'a')).toBe(false);
  });
});

test('a hash that would wait too long is refused at once, with a time to try again', async () => {
  const hashing = createPasswordHashing({ concurrency: 1, maxWaitingPerOwner: 1 });
  const accepted = [hashing.hash('secret', 'a'), hashing.hash('secret', 'a')];
  await expect(hashing.hash('secret', 'a')).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
  await Promise.all(accepted);
});

describe('the check of a password', () => {
  /** Counts the hashes that are computed, by their beginning. */
  const counting = () => {
    const hashing = createPasswordHashing({ memoryKiB: 64, iterations: 1 });
    const computed: string[] = [];
    const verify = (encoded: string, password: string, owner: string) => {
      computed.push(encoded.slice(0, 6));
      return hashing.verify(encoded, password, owner);
    };
    return { computed, hashing, check: (samples?: string[]) => createPasswordCheck({ ...hashing, verify }, samples) };
  };

  it('computes the same hashes for an unknown user as for wrong passwords of users with different hashes', async () => {
    const { computed, hashing, check } = counting();
    const known = await hashing.hash('secret', 'a');
    const { matches } = check([known, ssha]);
    const refusals: string[][] = [];
    for (const encoded of [undefined, known, ssha, 'unknown format']) {
      expect(await matches(encoded, 'wrong', 'a')).toBe(false);
      refusals.push(computed.splice(0).toSorted());
    }
    expect(refusals).toEqual(Array(4).fill(['$argon', '{SSHA}']));
    expect(await matches(known, 'secret', 'a')).toBe(true);
    expect(computed).toEqual(['$argon']);
  });

  it('learns the kinds of hashes that it sees, and is never content with another user’s hash', async () => {
    const { computed, check } = counting();
    const { matches } = check();
    expect(await matches(ssha, 'wrong', 'a')).toBe(false);
    computed.length = 0;
    expect(await matches(undefined, 'corréct horse', 'b')).toBe(false);
    expect(computed.toSorted()).toEqual(['$argon', '{SSHA}']);
    expect(await matches(ssha, 'corréct horse', 'a')).toBe(true);
  });
});
