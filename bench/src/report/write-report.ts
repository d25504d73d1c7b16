import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderMarkdown } from './markdown.ts';
import { formatResults, type Results } from './results.ts';

/** Writes the result into the folder, as data and as tables. `withTargets`: the tables compare it with the targets, too. */
export const writeReport = (results: Results, folder: string, withTargets: boolean): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'results.json'), formatResults(results));
  writeFileSync(join(folder, 'results.md'), renderMarkdown(withTargets ? results : { ...results, verdicts: [] }));
};
