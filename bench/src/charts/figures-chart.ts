import type { Verdict } from '../figures.ts';
import { boxAt, type Chart, marginFor, textAt } from './svg.ts';

const track = 430;
const rowHeight = 34;
const headHeight = 52;

const amount = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2);

const measuredOf = ({ measured, unit }: Verdict): string => `${amount(measured)} ${unit}`;

/** By which factor the bound is met: 1 is the bound itself, whichever side is good. */
const timesHeld = ({ measured, mustValue, isHigherBetter }: Verdict): number =>
  isHigherBetter ? measured / mustValue : mustValue / measured;

interface Plot {
  /** Where the bars begin. */
  readonly left: number;
  readonly most: number;
}

const row = (verdict: Verdict, index: number, { left, most }: Plot): string => {
  const y = headHeight + index * rowHeight;
  const scale = track / most;
  const times = timesHeld(verdict);
  const { scenario, target, isMet, must } = verdict;
  return [
    textAt(scenario, { x: left - 12, y: y + 13, kind: 'end' }),
    textAt(target, { x: left - 12, y: y + 27, kind: 'end quiet' }),
    boxAt({ x: left, y: y + 5, width: track, height: 18, kind: 'rail' }),
    boxAt({
      x: left,
      y: y + 5,
      width: Math.min(times, most) * scale,
      height: 18,
      kind: isMet ? 'good' : 'bad',
      hint: `${measuredOf(verdict)}; must be ${must}`,
    }),
    textAt(measuredOf(verdict), { x: left + track + 10, y: y + 13, kind: 'bold' }),
    textAt(must, { x: left + track + 10, y: y + 27, kind: 'quiet' }),
  ].join('');
};

/** Each figure relative to its required value. */
export const figuresChart = (verdicts: readonly Verdict[], subtitle: string): Chart => {
  const most = Math.min(4, Math.max(2, ...verdicts.map(timesHeld)));
  const left = marginFor(verdicts.flatMap(({ scenario, target }) => [scenario, target]));
  const right = marginFor(
    verdicts.flatMap((verdict) => [measuredOf(verdict), verdict.must]),
    160,
  );
  const height = headHeight + verdicts.length * rowHeight + 34;
  const must = left + track / most;
  const bottom = height - 30;
  const met = verdicts.filter(({ isMet }) => isMet).length;
  return {
    width: Math.max(left + track + right, marginFor([subtitle])),
    height,
    title: `Measured figures relative to the required values: ${met} of ${verdicts.length} meet them`,
    content: [
      textAt('Measured figures relative to the required values', { x: 12, y: 20, kind: 'bold' }),
      textAt(subtitle, { x: 12, y: 38, kind: 'quiet' }),
      ...verdicts.map((verdict, index) => row(verdict, index, { left, most })),
      `<line class="line" x1="${must}" x2="${must}" y1="${headHeight}" y2="${bottom}" stroke-dasharray="4 3"/>`,
      textAt('must', { x: must, y: bottom + 16, kind: 'middle quiet' }),
    ].join(''),
  };
};
