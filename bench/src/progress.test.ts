import { expect, it } from 'vitest';
import { secondsLeft } from './progress.ts';

it('what is left takes as long as what is done has taken', () => {
  expect(secondsLeft(30, 0.25)).toBe(90);
  expect(secondsLeft(30, 1)).toBe(0);
  expect(secondsLeft(30, 0)).toBeUndefined();
});
