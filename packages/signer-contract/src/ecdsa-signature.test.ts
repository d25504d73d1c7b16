import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ecdsaFromDer, ecdsaToDer } from './ecdsa-signature.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jws = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;

describe('signatures of P-256', () => {
  it('are of 64 bytes, and mean the same in DER', () => {
    // Of 1,000 some have numbers that are shorter, or that need a zero in front.
    const lengths = new Set<number>();
    for (let i = 0; i < 1_000; i++) {
      const data = Buffer.from(`${i}`);
      const der = sign('sha256', data, privateKey);
      lengths.add(der.length);
      const fixed = ecdsaFromDer(der);
      expect(fixed.length).toBe(64);
      expect(verify('sha256', data, jws, fixed)).toBe(true);
      expect(ecdsaToDer(fixed)).toEqual(der);
    }
    expect(lengths.size).toBeGreaterThan(2);
  });

  it.each([
    [[1], [2]],
    [[0x7f], [0x80]],
    [
      [0xff, 0xff],
      [0, 1],
    ],
  ])('keep their numbers, however short: %j, %j', (r, s) => {
    const fixed = Buffer.concat([
      Buffer.alloc(32 - r.length),
      Buffer.from(r),
      Buffer.alloc(32 - s.length),
      Buffer.from(s),
    ]);
    expect(ecdsaFromDer(ecdsaToDer(fixed) ?? Buffer.alloc(0))).toEqual(fixed);
  });

  it('of zeros or of another length verify nothing', () => {
    const data = Buffer.from('anything');
    expect(verify('sha256', data, publicKey, ecdsaToDer(Buffer.alloc(64)) ?? Buffer.alloc(0))).toBe(false);
    for (const length of [0, 63, 65, 70, 128]) expect(ecdsaToDer(Buffer.alloc(length, 1))).toBeUndefined();
  });
});
