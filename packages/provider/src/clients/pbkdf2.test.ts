import { pbkdf2Sync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isPbkdf2Hash, matchesPbkdf2 } from './pbkdf2.ts';

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
    expect(isPbkdf2Hash(encoded)).toBe(true);
    expect(await matchesPbkdf2('a-secret', encoded)).toBe(true);
    expect(await matchesPbkdf2('a-secreT', encoded)).toBe(false);
  });

  it('are those of the RFC', async () => {
    const key = Buffer.from(`${vector}0`.slice(0, 126), 'hex').subarray(0, 32);
    const encoded = `$pbkdf2-sha256$i=1,l=32$${Buffer.from('salt').toString('base64').replaceAll('=', '')}$${key.toString('base64').replaceAll('=', '')}`;
    expect(await matchesPbkdf2('passwd', encoded)).toBe(true);
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
    expect(isPbkdf2Hash(encoded)).toBe(false);
    expect(await matchesPbkdf2('a', encoded)).toBe(false);
  });
});
