import { escapeXml, inlineSvg } from '../charts/svg.ts';
import { pageOf, tableOf } from '../report/page.ts';
import type { Frame } from './cpu-profile.ts';
import { flameGraph } from './flame-graph.ts';
import { originOf, placeOf, type SelfTime, sumSelfTimes } from './origin.ts';

const mostFunctions = 40;

const rowsOf = (times: readonly SelfTime[], total: number, count: number): readonly (readonly string[])[] =>
  times.map(({ name, kind, microseconds }) => [
    name,
    kind,
    `${((100 * microseconds) / total).toFixed(1)} %`,
    (microseconds / count).toFixed(1),
  ]);

const head = ['', 'whose', 'self time', 'microseconds of each'];

/** A flame graph, and self time by package and folder, and by function. @param count the number of answers */
export const renderProfile = (title: string, root: Frame, count: number): string => {
  const origins = sumSelfTimes(root, (frame) => originOf(frame).name);
  const functions = sumSelfTimes(root, placeOf).slice(0, mostFunctions);
  return pageOf(
    title,
    `<h1>${escapeXml(title)}</h1>
<p class="quiet">${count.toLocaleString('en')} of them, under a sampling profiler: the shares count, not the times. What a box calls is
below it. Blue: ours; yellow: packages; green: Node; grey: the engine. Rest the pointer on a box to see what it is.</p>
<div class="scroll">${inlineSvg(flameGraph(root, title))}</div>
<h2>By package and folder</h2>${tableOf([head, ...rowsOf(origins, root.total, count)])}
<h2>By function</h2>${tableOf([head, ...rowsOf(functions, root.total, count)])}`,
  );
};
