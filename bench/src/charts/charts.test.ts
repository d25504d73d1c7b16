import { describe, expect, it } from 'vitest';
import { judge } from '../figures.ts';
import { outcomeWith } from '../test-outcome.ts';
import { cpuChart } from './cpu-chart.ts';
import { figuresChart } from './figures-chart.ts';
import { latencyHistogram } from './latency-histogram.ts';
import { ratesChart } from './rates-chart.ts';
import type { Chart } from './svg.ts';

const target = 'carnet on postgres with a name that is longer than others';
const outcomes = [
  outcomeWith({ scenario: 'introspection', target, connections: 100 }, { perSecond: 1_234_567, p95: 12.345 }),
  outcomeWith(
    { scenario: 'fetch-client-of-the-longest-name-there-is', target },
    { perSecond: 1, serverCpu: 9_999_999 },
  ),
];
const verdicts = judge(outcomes, () => 'postgres');

/** The average width of a letter at 13 px in DejaVu Sans, the widest of the fonts in the style. */
const letterWidth = 7.1;

/** The left and the right end of each text of a chart. */
const textsOf = ({ content }: Chart): readonly { text: string; from: number; to: number }[] =>
  [...content.matchAll(/<text x="([^"]+)"[^>]*?(?: class="([^"]*)")?>([^<]*)<\/text>/g)].map(
    ([, x, kind = '', text = '']) => {
      const width = text.length * letterWidth;
      const share = kind.includes('end') ? 1 : kind.includes('middle') ? 0.5 : 0;
      return { text, from: Number(x) - share * width, to: Number(x) + (1 - share) * width };
    },
  );

describe.each<readonly [string, Chart]>([
  ['rates', ratesChart(outcomes)],
  ['figures', figuresChart(verdicts, `2 cores for everything; ${target}, ${target}, ${target}`)],
  ['CPU', cpuChart(outcomes, 'one request')],
  ['latencies', latencyHistogram(outcomes[1] as (typeof outcomes)[number])],
])('the chart of %s', (_name, chart) => {
  it('clips no label', () => {
    const texts = textsOf(chart);
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.filter(({ from, to }) => from < 0 || to > chart.width)).toEqual([]);
  });
});
