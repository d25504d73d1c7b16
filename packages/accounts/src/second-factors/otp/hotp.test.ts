import { describe, expect, it } from 'vitest';
import { decodeBase32, encodeBase32 } from './base32.ts';
import { hotp, normaliseCode, type OtpAlgorithm, stepAt } from './hotp.ts';

/** The seeds of RFC 6238, appendix B, have 20, 32 and 64 bytes. */
const seedOf = (bytes: number): Buffer => Buffer.from('1234567890'.repeat(7).slice(0, bytes));

describe('HOTP', () => {
  it('gives the codes of RFC 4226, appendix D', () => {
    const codes = Array.from({ length: 10 }, (_, counter) => hotp(seedOf(20), counter));
    expect(codes).toEqual([
      '755224',
      '287082',
      '359152',
      '969429',
      '338314',
      '254676',
      '287922',
      '162583',
      '399871',
      '520489',
    ]);
  });
});

describe('TOTP', () => {
  const vectors: readonly (readonly [number, string, string, string])[] = [
    [59, '94287082', '46119246', '90693936'],
    [1111111109, '07081804', '68084774', '25091201'],
    [1111111111, '14050471', '67062674', '99943326'],
    [1234567890, '89005924', '91819424', '93441116'],
    [2000000000, '69279037', '90698825', '38618901'],
    [20000000000, '65353130', '77737706', '47863826'],
  ];

  it.each(vectors)('gives the codes of RFC 6238, appendix B, at second %i', (second, sha1, sha256, sha512) => {
    const codeOf = (algorithm: OtpAlgorithm, bytes: number) =>
      hotp(seedOf(bytes), stepAt(second * 1_000, 30), { algorithm, digits: 8 });
    expect([codeOf('sha1', 20), codeOf('sha256', 32), codeOf('sha512', 64)]).toEqual([sha1, sha256, sha512]);
  });
});

describe('a code as users type it', () => {
  it.each([
    ['287082', '287082'],
    [' 287 082 ', '287082'],
    ['28708', undefined],
    ['2870822', undefined],
    ['28708a', undefined],
    ['２８７０８２', undefined],
    ['', undefined],
  ])('%j is read as %j', (typed, expected) => {
    expect(normaliseCode(typed, 6)).toBe(expected);
  });
});

describe('base32', () => {
  it('gives the values of RFC 4648, section 10, without padding', () => {
    const texts = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'];
    const expected = ['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'];
    expect(texts.map((text) => encodeBase32(Buffer.from(text)))).toEqual(expected);
    expect(expected.map((text) => decodeBase32(text)?.toString())).toEqual(texts);
  });

  it('reads lower case, spaces, dashes and padding, and refuses other characters', () => {
    expect(decodeBase32('mzxw 6ytb-oi======')?.toString()).toBe('foobar');
    expect(decodeBase32('MZXW1')).toBeUndefined();
  });
});
