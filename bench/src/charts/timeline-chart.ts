import { type Chart, textAt } from './svg.ts';

export interface Timeline {
  readonly name: string;
  /** Milliseconds of each request, in their order. */
  readonly latencies: readonly number[];
}

const width = 760;
const rowHeight = 150;
const plot = { left: 70, right: 744 };
const pointsShown = 1_000;

/** The greatest value of a row's axis: the 99th percentile, so that single outliers do not flatten the others. */
const topOf = (latencies: readonly number[]): number => {
  const sorted = [...latencies].sort((one, other) => one - other);
  return Math.max(0.001, (sorted[Math.floor(sorted.length * 0.99)] ?? 1) * 1.15);
};

const rowOf = ({ name, latencies }: Timeline, index: number): string => {
  const [top, bottom] = [index * rowHeight + 58, (index + 1) * rowHeight + 20];
  const most = topOf(latencies);
  const every = Math.max(1, Math.ceil(latencies.length / pointsShown));
  const points = latencies
    .map((value, at) => ({ value, at }))
    .filter(({ at }) => at % every === 0)
    .map(({ value, at }) => {
      const x = plot.left + ((plot.right - plot.left) * at) / latencies.length;
      const y = bottom - (bottom - top) * Math.min(1, value / most);
      return `<circle class="server" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="1.3"/>`;
    });
  const digits = most < 10 ? 1 : 0;
  return [
    textAt(name, { x: 12, y: top - 10, kind: 'bold' }),
    `<line class="line" x1="${plot.left}" x2="${plot.right}" y1="${bottom}" y2="${bottom}"/>`,
    textAt(`${most.toFixed(digits)} ms`, { x: plot.left - 8, y: top + 10, kind: 'end quiet' }),
    textAt('0', { x: plot.left - 8, y: bottom, kind: 'end quiet' }),
    ...points,
  ].join('');
};

/** The latency of each request, in the order in which they were sent: one row each, on an axis of its own. */
export const timelineChart = (title: string, timelines: readonly Timeline[]): Chart => ({
  width,
  height: timelines.length * rowHeight + 60,
  title,
  content: [
    textAt(title, { x: 12, y: 20, kind: 'bold' }),
    ...timelines.map(rowOf),
    textAt(`request 1 to ${timelines[0]?.latencies.length ?? 0}, in order`, {
      x: plot.right,
      y: timelines.length * rowHeight + 46,
      kind: 'end quiet',
    }),
  ].join(''),
});
