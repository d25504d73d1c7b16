import type { Outcome } from '../run-scenario.ts';
import { boxAt, type Chart, marginFor, textAt } from './svg.ts';

const track = 480;
const right = 110;
const rowHeight = 30;
const headHeight = 52;

const parts = [
  ['server', 'serverCpu', 'server'],
  ['store', 'storeCpu', 'store'],
  ['load', 'generatorCpu', 'load generator'],
] as const;

interface Plot {
  /** Where the bars begin. */
  readonly left: number;
  readonly most: number;
}

const known = (value: number): number => (Number.isFinite(value) ? value : 0);

const totalOf = ({ median }: Outcome): number => parts.reduce((sum, [, name]) => sum + known(median[name]), 0);

const row = (outcome: Outcome, index: number, { left, most }: Plot): string => {
  const y = headHeight + index * rowHeight;
  const drawn: string[] = [
    textAt(outcome.scenario, { x: left - 12, y: y + 12, kind: 'end' }),
    textAt(outcome.target, { x: left - 12, y: y + 25, kind: 'end quiet' }),
  ];
  let x = left;
  for (const [kind, name, label] of parts) {
    const width = (known(outcome.median[name]) / most) * track;
    drawn.push(
      boxAt({ x, y: y + 4, width, height: 18, kind, hint: `${label}: ${known(outcome.median[name]).toFixed(1)}` }),
    );
    // A gap between two parts.
    x += width + (width > 0 ? 1 : 0);
  }
  drawn.push(textAt(Math.round(totalOf(outcome)).toLocaleString('en'), { x: x + 6, y: y + 18 }));
  return drawn.join('');
};

/** Stacked bars: the CPU time of server, store and load generator. */
export const cpuChart = (outcomes: readonly Outcome[], what: string): Chart => {
  const most = Math.max(...outcomes.map(totalOf));
  const left = marginFor(outcomes.flatMap(({ scenario, target }) => [scenario, target]));
  let x = left;
  const keys = parts.map(([kind, , label]) => {
    const key = boxAt({ x, y: 30, width: 11, height: 11, kind }) + textAt(label, { x: x + 16, y: 40, kind: 'quiet' });
    x += 30 + label.length * 8;
    return key;
  });
  return {
    width: left + track + right,
    height: headHeight + outcomes.length * rowHeight + 8,
    title: `CPU time of ${what}, in microseconds`,
    content: [
      textAt(`CPU time of ${what}, microseconds`, { x: 12, y: 20, kind: 'bold' }),
      ...keys,
      ...outcomes.map((outcome, index) => row(outcome, index, { left, most })),
    ].join(''),
  };
};
