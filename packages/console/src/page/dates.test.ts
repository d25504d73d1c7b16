import { expect, it } from 'vitest';
import { duration } from './dates.ts';

it.each([
  [0, '0 seconds'],
  [59, '59 seconds'],
  [90, '1 minute, 30 seconds'],
  [3_600, '1 hour'],
  [5_400, '1 hour, 30 minutes'],
  [90_000, '1 day, 1 hour'],
  [86_400 + 59, '1 day'],
  [42.5 * 86_400, '42 days'],
])('%i seconds are %s', (seconds, text) => {
  expect(duration(seconds, 'en')).toBe(text);
});

it('a time span is written as in each language', () => {
  expect(duration(93_600, 'de')).toBe('1 Tag, 2 Stunden');
  expect(duration(5_400, 'ja')).toBe('1 時間 30 分');
  expect(duration(7_200, 'ar')).toBe('ساعتان');
});
