import type { Outcome } from '../run-scenario.ts';
import { boxAt, type Chart, marginFor, textAt } from './svg.ts';

const track = 250;
const gap = 110;
const rowHeight = 34;
const headHeight = 52;

interface Column {
  readonly title: string;
  readonly kind: string;
  readonly x: number;
  readonly most: number;
  readonly of: (outcome: Outcome) => number;
  readonly text: (value: number) => string;
}

/** Two significant digits: more would vary from run to run. Rates of three and more digits are whole numbers. */
const rounded = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(2)));

const most = (outcomes: readonly Outcome[], of: Column['of']): number =>
  Math.max(...outcomes.map(of).filter(Number.isFinite), Number.MIN_VALUE);

const barOf = (outcome: Outcome, y: number, { x, of, text, kind, most }: Column): string => {
  const value = of(outcome);
  if (!Number.isFinite(value)) return textAt('-', { x: x + 6, y: y + 18, kind: 'quiet' });
  const width = (value / most) * track;
  return (
    boxAt({ x, y: y + 5, width, height: 18, kind, hint: text(value) }) +
    textAt(text(value), { x: x + width + 6, y: y + 19 })
  );
};

/** Answers per second, and the time within which 95 % of them arrived. */
export const ratesChart = (outcomes: readonly Outcome[]): Chart => {
  const left = marginFor(outcomes.flatMap(({ scenario, target }) => [scenario, target]));
  const perSecond = ({ median }: Outcome) => median.perSecond;
  const p95 = ({ median }: Outcome) => median.p95;
  const columns: readonly Column[] = [
    {
      title: 'per second, more is better',
      kind: 'server',
      x: left,
      most: most(outcomes, perSecond),
      of: perSecond,
      text: (value) => `${rounded(value)} /s`,
    },
    {
      title: 'p95, less is better',
      kind: 'store',
      x: left + track + gap,
      most: most(outcomes, p95),
      of: p95,
      text: (value) => `${rounded(value)} ms`,
    },
  ];
  const rows = outcomes.map((outcome, index) => {
    const y = headHeight + index * rowHeight;
    return [
      textAt(outcome.scenario, { x: left - 12, y: y + 13, kind: 'end' }),
      textAt(outcome.target, { x: left - 12, y: y + 27, kind: 'end quiet' }),
      ...columns.map((column) => barOf(outcome, y, column)),
    ].join('');
  });
  return {
    width: left + 2 * (track + gap),
    height: headHeight + outcomes.length * rowHeight + 8,
    title: 'Throughput and p95 latency',
    content: [
      textAt('Throughput and p95 latency', { x: 12, y: 20, kind: 'bold' }),
      ...columns.map(({ title, x }) => textAt(title, { x, y: 40, kind: 'quiet' })),
      ...rows,
    ].join(''),
  };
};
