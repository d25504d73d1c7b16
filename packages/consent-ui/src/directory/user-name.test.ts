import { expect, it } from 'vitest';
import { normalizeUserName } from './user-name.ts';

it.each([
  [' Demo@Example.com ', 'demo@example.com'],
  ['ｄｅｍｏ@example.com', 'demo@example.com'],
  ['Jose\u0301', 'jos\u00e9'],
])('%s is the same user name as %s', (typed, stored) => {
  expect(normalizeUserName(typed)).toBe(stored);
});

it('normalising twice changes nothing, for every character there is', () => {
  const unstable: number[] = [];
  for (let codePoint = 1; codePoint <= 0x10ffff; codePoint += 1) {
    const once = normalizeUserName(`a${String.fromCodePoint(codePoint)}\u0301b`);
    if (normalizeUserName(once) !== once) unstable.push(codePoint);
  }
  expect(unstable).toEqual([]);
});
