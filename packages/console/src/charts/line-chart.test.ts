import { expect, test } from 'vitest';
import { lineChart } from './line-chart.ts';

const textsOf = (times: readonly number[], values: readonly number[]): readonly string[] => {
  const format = (value: number): string => `${value * 100} %`;
  const chart = String(
    lineChart({ title: 'Errors', times, series: [{ label: 'Errors', values }], format, language: 'en' }),
  );
  return [...chart.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = '']) => text);
};

const start = Date.UTC(2026, 10, 27, 1);

test('a chart without a value above 0 has 0 as its only value, and names each minute once', () => {
  expect(textsOf([start, start + 90_000], [0, 0])).toEqual(['0 %', '01:00 AM', '01:01 AM']);
});

test('a chart with values has a scale for them', () => {
  expect(textsOf([start, start + 14_400_000], [0, 0.4])).toEqual(
    expect.arrayContaining(['0 %', '40 %', '01:00 AM', '05:00 AM']),
  );
});
