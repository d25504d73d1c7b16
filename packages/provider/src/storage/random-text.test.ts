import { expect, it } from 'vitest';
import { randomText } from './random-text.ts';

it('is of the length that is asked for, and never the same', () => {
  const sizes = [16, 32, 20, 1];
  const texts = Array.from({ length: 4_000 }, (_, index) => randomText(sizes[index % 3] ?? 16));
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts.slice(0, 3).map((text) => Buffer.from(text, 'base64url').length)).toEqual([16, 32, 20]);
});

it('has every byte as often as any other', () => {
  const counts = new Array<number>(256).fill(0);
  for (let i = 0; i < 8_000; i++)
    for (const byte of Buffer.from(randomText(32), 'base64url')) counts[byte] = (counts[byte] ?? 0) + 1;
  // 1,000 of each on average, with a standard deviation of 32: a stock that is wiped before it is given out would be all zeros.
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(300);
});
