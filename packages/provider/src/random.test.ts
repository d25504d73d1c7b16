import { expect, test } from 'vitest';
import { randomText, takeRandom } from './random.ts';

test('never hands out the same bytes twice, over many blocks and in any size', () => {
  const sizes = [12, 16, 32, 8_192, 100, 4_000];
  const all = Array.from({ length: 3_000 }, (_, i) => takeRandom(sizes[i % sizes.length] as number));
  const heads = new Set(all.map((bytes) => bytes.subarray(0, 12).toString('hex')));
  expect(heads.size).toBe(all.length);
  for (const [i, bytes] of all.entries()) expect(bytes).toHaveLength(sizes[i % sizes.length] as number);
});

test('hands out no byte that was wiped: each value comes up as often as the next', () => {
  const counts = new Uint32Array(256);
  for (let i = 0; i < 10_000; i++) for (const byte of takeRandom(100)) counts[byte] = (counts[byte] ?? 0) + 1;
  // A million bytes: 3,906 of each, give or take 62; ten times that does not happen.
  for (const count of counts) expect(Math.abs(count - 3_906)).toBeLessThan(620);
});

test('bytes that are changed by whoever got them change nothing elsewhere', () => {
  const [first, second] = [takeRandom(16), takeRandom(16)];
  const copy = Buffer.from(second);
  first.fill(0);
  expect(second).toEqual(copy);
});

test('random bytes as text are base64url', () => {
  expect(randomText(32)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(() => takeRandom(8_193)).toThrow(RangeError);
});
