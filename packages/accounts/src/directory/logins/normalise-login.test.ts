import { expect, it } from 'vitest';
import { normaliseLogin } from './normalise-login.ts';

it.each([
  [' Demo@Example.com ', 'demo@example.com'],
  ['ｄｅｍｏ@example.com', 'demo@example.com'],
  ['Jose\u0301', 'jos\u00e9'],
  ['CORP\\Alice', 'corp\\alice'],
  ['渡辺', '渡辺'],
])('%s is the same login as %s', (typed, stored) => {
  expect(normaliseLogin(typed)).toBe(stored);
});

it.each([
  ['Cyrillic a', 'аlice'],
  ['dotless i', 'alıce'],
  ['I with dot', 'alİce'],
  ['an accent', 'alicé'],
  ['a Greek letter', 'αlice'],
  ['a digit', 'a1ice'],
])('a look-alike with %s is another login', (_what, typed) => {
  expect(normaliseLogin(typed)).toBeDefined();
  expect(normaliseLogin(typed)).not.toBe('alice');
});

it.each([
  ['nothing', ''],
  ['white space', ' \t '],
  ['NUL', 'alice\0'],
  ['a line break', 'ali\nce'],
  ['a zero width space', 'ali\u200bce'],
  ['a soft hyphen, which LDAP servers ignore', 'ali\u00adce'],
  ['a variation selector', 'alice\ufe0f'],
  ['a change of direction', '\u202ealice'],
  ['a lone surrogate', 'alice\ud800'],
  ['more than 320 characters', 'a'.repeat(321)],
  ['more than 320 characters after normalisation', '\ufdfa'.repeat(100)],
])('%s is no login', (_what, typed) => {
  expect(normaliseLogin(typed)).toBeUndefined();
});

it('normalising twice changes nothing, for every character there is', () => {
  const unstable: number[] = [];
  for (let codePoint = 1; codePoint <= 0x10ffff; codePoint += 1) {
    const once = normaliseLogin(`a${String.fromCodePoint(codePoint)}\u0301b`);
    if (once !== undefined && normaliseLogin(once) !== once) unstable.push(codePoint);
  }
  expect(unstable).toEqual([]);
});
