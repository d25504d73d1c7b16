import { expect, test } from 'vitest';
import { decodeBase64url, isBase64url } from './base64url.ts';

const characters = [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  ...['+', '/', '=', '.', ' ', '\n', '\u0000', 'é', '\u0141', '\u{1f600}'],
];
/** Decoded leniently and encoded again, a text comes back only if it was the one. */
const isTheOne = (text: string): boolean => Buffer.from(text, 'base64url').toString('base64url') === text;

test('accepts the one canonical text of its bytes, and no other last character', () => {
  for (const head of ['', 'A', 'Az', 'Az-', 'Az-_', 'Az-_09']) {
    for (const next of characters) {
      for (const last of ['', ...characters]) {
        const text = head + next + last;
        expect(isBase64url(text), JSON.stringify(text)).toBe(isTheOne(text));
      }
    }
  }
});

test('decodes what was encoded, of every length, and nothing with a line break behind it', () => {
  for (let length = 0; length < 100; length++) {
    const bytes = Buffer.alloc(length, length * 37);
    const text = bytes.toString('base64url');
    expect(decodeBase64url(text)).toEqual(bytes);
    expect(decodeBase64url(`${text}\n`)).toBeUndefined();
  }
});
