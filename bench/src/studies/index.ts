import { parseArgs } from 'node:util';
import { judgeReadings } from '../figures.ts';
import { numberOf } from '../option-values.ts';
import { folderOf } from '../report/folder.ts';
import { keepStudy } from '../report/kept-studies.ts';
import { verdictRows } from '../report/text.ts';
import { eventLoop } from './event-loop.ts';
import { flowState, indexes } from './flow-state.ts';
import { matrix } from './matrix.ts';
import { memory } from './memory.ts';
import { start } from './start.ts';
import { note, type Study, say, tableOf } from './study.ts';

/** In the order of the help. */
export const studies: readonly Study[] = [matrix, eventLoop, memory, start, flowState, indexes];

const helpOf = ({ name, title, options }: Study): string => {
  const lines = Object.entries(options).map(([option, value]) => `  --${option.padEnd(10)}default ${value}\n`);
  const out = '  --out FOLDER  keeps what it finds there, for the report of a run of the same commit\n';
  return `pnpm bench ${name} [option ...]\n\n${title}\n\n${lines.join('')}${out}`;
};

/**
 * @returns text that is all that was asked for, or the values of the study's options
 * @throws UsageError for an option that the study does not have, or that takes something else
 */
export const parseStudy = (study: Study, args: readonly string[]): string | Readonly<Record<string, string>> => {
  const texts = Object.entries({ ...study.options, out: '' }).map(([name, value]) => [
    name,
    { type: 'string' as const, default: value },
  ]);
  const options = { ...Object.fromEntries(texts), help: { type: 'boolean' as const, short: 'h' } };
  const { help, ...values } = parseArgs({ args: [...args], options }).values as Readonly<Record<string, string>>;
  if (help) return helpOf(study);
  for (const [name, value] of Object.entries(study.options)) {
    if (/^\d+$/.test(value)) numberOf(name, values[name] ?? '', 10_000_000);
  }
  return values;
};

/** Runs it and says which figures are met. With `--out` what it finds is kept, for the report of a run of the same commit. */
export const runStudy = async (study: Study, args: readonly string[]): Promise<void> => {
  const values = parseStudy(study, args);
  if (typeof values === 'string') return void process.stdout.write(values);
  const { name, title } = study;
  const { tables, readings = [] } = await study.run(values);
  const verdicts = judgeReadings(readings);
  say(tables.map((table) => tableOf(table)).join('\n\n'));
  if (verdicts.length > 0) say(`\n${tableOf(verdictRows(verdicts), 2)}`);
  if (!values.out) return;
  const folder = folderOf(values.out);
  keepStudy(folder, { name, title, command: ['npm run bench --', name, ...args].join(' '), tables, verdicts });
  note(`kept in ${folder}: the report of a run of this commit into that folder will have it`);
};
