import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../usage-error.ts';
import { headlineOf } from './headline.ts';
import { conditionsOf, figuresTable, profilesTable, renderMarkdown, summaryTable } from './markdown.ts';
import { formatResults, type Results } from './results.ts';

const root = new URL('../../../', import.meta.url);

/** @throws TypeError where the document has no such part */
export const replacePart = (document: string, name: string, text: string): string => {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = document.indexOf(begin);
  const to = document.indexOf(end, from);
  if (from === -1 || to === -1) throw new TypeError(`there is no ${begin} ... ${end} to be replaced`);
  return `${document.slice(0, from + begin.length)}\n${text.trim()}\n${document.slice(to)}`;
};

const replaceIn = (path: string, name: string, text: string): void => {
  const file = fileURLToPath(new URL(path, root));
  writeFileSync(file, replacePart(readFileSync(file, 'utf8'), name, text));
};

/** Writes the result into the folder, as data and as tables. `withTargets`: the tables compare it with the targets, too. */
export const writeReport = (results: Results, folder: string, withTargets: boolean): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'results.json'), formatResults(results));
  writeFileSync(join(folder, 'results.md'), renderMarkdown(withTargets ? results : { ...results, verdicts: [] }));
};

/** Writes one sentence into README.md, summary and figures into docs/concepts/performance.md. */
export const writeDocuments = (results: Results): void => {
  if (results.verdicts.length === 0)
    throw new UsageError('--readme: nothing was measured that a figure is promised for');
  const conditions = conditionsOf(results);
  const summary = `${summaryTable(results)}\n\nIn units: answers of a bare \`node:http\` server in the same time. Fewer is faster.`;
  replaceIn('README.md', 'bench:headline', headlineOf(results));
  const list = conditions.map((line) => `- ${line}`).join('\n');
  replaceIn(
    'docs/concepts/performance.md',
    'bench:figures',
    `${summary}\n\n${figuresTable(results.verdicts)}\n\n\`${results.command}\`\n\n${list}`,
  );
  if (results.profiles.length > 0) {
    replaceIn('docs/concepts/performance.md', 'bench:profiles', profilesTable(results.profiles));
  }
};
