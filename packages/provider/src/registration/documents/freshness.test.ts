import { expect, it } from 'vitest';
import { freshSeconds } from './freshness.ts';

const now = Date.parse('2026-11-22T12:00:00Z');
const bounds = { minSeconds: 60, maxSeconds: 3_600 };

it.each<[string, Record<string, string>, number]>([
  ['for as long as max-age says', { 'cache-control': 'public, max-age=600' }, 600],
  ['less its age', { 'cache-control': 'max-age=600', age: '200' }, 400],
  ['until it expires', { expires: 'Sun, 22 Nov 2026 12:10:00 GMT' }, 600],
  ['by max-age before Expires', { 'cache-control': 'max-age=120', expires: 'Sun, 22 Nov 2026 12:50:00 GMT' }, 120],
  ['no longer than the upper bound', { 'cache-control': 'max-age=999999' }, 3_600],
  ['no shorter than the lower bound', { 'cache-control': 'max-age=1' }, 60],
  ['for the lower bound where it asks not to be kept', { 'cache-control': 'no-store' }, 60],
  ['for the lower bound where it says nothing', {}, 60],
  ['for the lower bound where it says nonsense', { 'cache-control': 'max-age=x', expires: '0', age: 'y' }, 60],
  ['for the lower bound where its age is nonsense', { 'cache-control': 'max-age=600', age: 'y' }, 60],
])('a document is fresh %s', (_how, headers, seconds) => {
  expect(freshSeconds(new Headers(headers), now, bounds)).toBe(seconds);
});
