import { bucketsPerDecade } from '../load/latencies.ts';
import type { Outcome } from '../run-scenario.ts';
import { boxAt, type Chart, marginFor, textAt } from './svg.ts';

const height = 190;
const plot = { left: 12, right: 388, top: 44, bottom: 150 };

/** Milliseconds at which a bucket begins. */
const beginOf = (index: number): number => 10 ** (index / bucketsPerDecade) / 1_000;

const milliseconds = (value: number): string => `${value >= 10 ? Math.round(value) : Number(value.toPrecision(2))} ms`;

/** Answers by how long they took, on a logarithmic axis, with the marks of p50, p95 and p99. */
export const latencyHistogram = ({ scenario, target, buckets, median }: Outcome): Chart => {
  const first = Math.max(
    0,
    buckets.findIndex((amount) => amount > 0),
  );
  const shown = buckets.slice(first);
  const most = Math.max(1, ...shown);
  const step = (plot.right - plot.left) / Math.max(1, shown.length);
  const xOf = (value: number): number => plot.left + (Math.log10(value * 1_000) * bucketsPerDecade - first) * step;
  const bars = shown.map((amount, index) => {
    const tall = ((plot.bottom - plot.top) * amount) / most;
    const [from, to] = [beginOf(first + index), beginOf(first + index + 1)];
    return boxAt({
      x: plot.left + index * step,
      y: plot.bottom - tall,
      width: step - 1,
      height: tall,
      kind: 'server',
      hint: `${milliseconds(from)} to ${milliseconds(to)}: ${amount.toLocaleString('en')}`,
    });
  });
  const marks = (['p50', 'p95', 'p99'] as const).map((name) => {
    const x = Math.min(plot.right, Math.max(plot.left, xOf(median[name])));
    return `<line class="line" x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${plot.top - 4}" y2="${plot.bottom}" stroke-dasharray="3 3"><title>${name}: ${milliseconds(median[name])}</title></line>`;
  });
  const summary = `p50 ${milliseconds(median.p50)}, p95 ${milliseconds(median.p95)}, p99 ${milliseconds(median.p99)}`;
  return {
    width: marginFor([`${scenario}, ${target}`, summary], 400),
    height,
    title: `Latencies of ${scenario}, ${target}: ${summary}`,
    content: [
      textAt(`${scenario}, ${target}`, { x: 12, y: 18, kind: 'bold' }),
      textAt(summary, { x: 12, y: 34, kind: 'quiet' }),
      ...bars,
      ...marks,
      textAt(milliseconds(beginOf(first)), { x: plot.left, y: plot.bottom + 16, kind: 'quiet' }),
      textAt(milliseconds(beginOf(first + shown.length)), { x: plot.right, y: plot.bottom + 16, kind: 'end quiet' }),
    ].join(''),
  };
};
