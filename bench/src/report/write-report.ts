import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { chartsOf } from '../charts/index.ts';
import { type Chart, standaloneSvg } from '../charts/svg.ts';
import { renderHtml } from './html.ts';
import { renderMarkdown } from './markdown.ts';
import { formatResults, type Results } from './results.ts';

const pictureOf = (chart: Chart): Buffer =>
  new Resvg(standaloneSvg(chart), {
    fitTo: { mode: 'zoom', value: 2 },
    font: { loadSystemFonts: true, defaultFontFamily: 'DejaVu Sans', sansSerifFamily: 'DejaVu Sans' },
  })
    .render()
    .asPng();

/** Writes all forms of the result into the folder. `withTargets`: the readable ones compare it with the targets, too. */
export const writeReport = (results: Results, folder: string, withTargets: boolean): void => {
  const shown = withTargets ? results : { ...results, verdicts: [] };
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
  write('results.json', formatResults(results));
  write('results.md', renderMarkdown(shown));
  write('report.html', renderHtml(shown));
  for (const [name, chart] of chartsOf(shown)) {
    write(`${name}.svg`, standaloneSvg(chart));
    write(`${name}.png`, pictureOf(chart));
  }
};
