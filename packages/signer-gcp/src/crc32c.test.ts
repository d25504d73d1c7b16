import { describe, expect, it } from 'vitest';
import { crc32c } from './crc32c.ts';

describe('CRC-32C', () => {
  // RFC 3720, appendix B.4, and the check value of the catalogue of CRCs.
  it.each([
    ['no bytes', Buffer.alloc(0), 0],
    ['32 zeros', Buffer.alloc(32), 0x8a9136aa],
    ['32 bytes of ff', Buffer.alloc(32, 0xff), 0x62a8ab43],
    ['0 to 31', Buffer.from(Array.from({ length: 32 }, (_, index) => index)), 0x46dd794e],
    ['123456789', Buffer.from('123456789'), 0xe3069283],
  ])('of %s is that of the specification', (_title, bytes, expected) => {
    expect(crc32c(bytes)).toBe(expected);
  });
});
