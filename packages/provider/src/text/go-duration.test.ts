import { describe, expect, it } from 'vitest';
import { formatGoDuration, isZeroGoDuration, parseGoDuration } from './go-duration.ts';

describe('parseGoDuration', () => {
  it.each([
    ['31h0m0s', 111_600],
    ['1h30m', 5400],
    ['1.5h', 5400],
    ['.5m', 30],
    ['90s', 90],
    ['+45s', 45],
    ['1500ms', 1.5],
    ['2s500ms', 2.5],
    ['1000000us', 1],
    ['1000000µs', 1],
    ['1h1h', 7200],
    ['876000h', 3_153_600_000],
  ])('%s is %d seconds', (text, seconds) => {
    expect(parseGoDuration(text)).toBe(seconds);
  });

  it.each([
    '',
    '1',
    '0',
    '0s',
    '-1',
    '-1h',
    '1 h',
    'h',
    '1h ',
    '1d',
    '1h30',
    '.s',
    '1e3s',
    '1..5h',
    '876001h',
    '9'.repeat(400),
    `${'1h'.repeat(33)}`,
  ])('%s is none', (text) => {
    expect(parseGoDuration(text)).toBeUndefined();
  });
});

describe('isZeroGoDuration', () => {
  it.each(['0', '0s', '0h0m0s', '+0s', '-0', '0.0s', '.0ms', '000m'])('%s is zero', (text) => {
    expect(isZeroGoDuration(text)).toBe(true);
  });

  it.each(['', '00', '0.', '1s', '0h1s', '0.001s', '0d', '-', '0s ', '0'.repeat(63).concat('1s')])(
    '%j is not',
    (text) => {
      expect(isZeroGoDuration(text)).toBe(false);
    },
  );
});

describe('formatGoDuration', () => {
  it.each([
    [111_600, '31h0m0s'],
    [5400, '1h30m0s'],
    [90, '1m30s'],
    [45, '45s'],
  ])('%d seconds are %s, as Go writes them', (seconds, text) => {
    expect(formatGoDuration(seconds)).toBe(text);
    expect(parseGoDuration(text)).toBe(seconds);
  });
});
