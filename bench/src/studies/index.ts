import { parseArgs } from 'node:util';
import { judgeReadings } from '../figures.ts';
import { numberOf } from '../option-values.ts';
import { folderOf } from '../report/folder.ts';
import { keepStudy } from '../report/kept-studies.ts';
import { verdictRows } from '../report/text.ts';
import { account } from './account.ts';
import { eventLoop } from './event-loop.ts';
import { issuers } from './issuers.ts';
import { manageUsers } from './manage-users/study.ts';
import { memory } from './memory.ts';
import { passwordLogins } from './password-logins.ts';
import { comparePeers } from './peers.ts';
import { relative } from './relative.ts';
import { remoteSigner } from './remote-signer.ts';
import { start } from './start.ts';
import { note, type Study, type StudyArguments, say, tableOf } from './study.ts';
import { userCache } from './user-cache.ts';

/** In the order of the help. */
export const studies: readonly Study[] = [
  account,
  relative,
  comparePeers,
  eventLoop,
  memory,
  issuers,
  start,
  passwordLogins,
  userCache,
  manageUsers,
  remoteSigner,
];

const helpOf = ({ name, title, options, repeated = {}, takesScenarios }: Study): string => {
  const lines = Object.entries(options).map(([option, value]) => `  --${option.padEnd(10)}default ${value}\n`);
  const more = Object.entries(repeated).map(
    ([option, form]) => `  --${option.padEnd(10)}${form}; may be given several times\n`,
  );
  const quick = takesScenarios ? '  --quick     fewer and shorter rounds: to look at, not to quote\n' : '';
  const out = '  --out FOLDER  keeps the result there, for the report of a run of the same commit\n';
  return `pnpm bench ${name}${takesScenarios ? ' [scenario ...]' : ''} [option ...]\n\n${title}\n\n${lines.join('')}${more.join('')}${quick}${out}`;
};

interface ParsedStudy {
  readonly values: Readonly<Record<string, string>>;
  readonly more: StudyArguments;
}

/**
 * @returns help, or the values of the study's options
 * @throws UsageError for an option that the study does not have, or a value that it does not take
 */
export const parseStudy = (study: Study, args: readonly string[]): string | ParsedStudy => {
  const texts = Object.entries({ ...study.options, out: '' }).map(([name, value]) => [
    name,
    { type: 'string' as const, default: value },
  ]);
  const lists = Object.keys(study.repeated ?? {}).map((name) => [
    name,
    { type: 'string' as const, multiple: true, default: [] },
  ]);
  const options = {
    ...Object.fromEntries([...texts, ...lists]),
    ...(study.takesScenarios ? { quick: { type: 'boolean' as const, default: false } } : {}),
    help: { type: 'boolean' as const, short: 'h' },
  };
  const parsed = parseArgs({ args: [...args], options, allowPositionals: study.takesScenarios === true });
  const { help, quick, ...rest } = parsed.values as Readonly<Record<string, string>>;
  if (help) return helpOf(study);
  for (const [name, value] of Object.entries(study.options)) {
    if (/^\d+$/.test(value)) numberOf(name, rest[name] ?? '', 10_000_000);
  }
  const isRepeated = (name: string) => Object.hasOwn(study.repeated ?? {}, name);
  const entries = Object.entries(rest);
  return {
    values: Object.fromEntries(entries.filter(([name]) => !isRepeated(name))),
    more: {
      scenarios: parsed.positionals,
      isQuick: Boolean(quick),
      repeated: Object.fromEntries(
        entries.filter(([name]) => isRepeated(name)),
      ) as unknown as StudyArguments['repeated'],
    },
  };
};

/** Runs a study and prints which figures are met. `--out` keeps the result for the report of a run of the same commit. */
export const runStudy = async (study: Study, args: readonly string[]): Promise<void> => {
  const parsed = parseStudy(study, args);
  if (typeof parsed === 'string') return void process.stdout.write(parsed);
  const { values, more } = parsed;
  const { name, title } = study;
  const { tables, readings = [] } = await study.run(values, more);
  const verdicts = judgeReadings(readings);
  say(tables.map((table) => tableOf(table)).join('\n\n'));
  if (verdicts.length > 0) say(`\n${tableOf(verdictRows(verdicts), 2)}`);
  if (!values.out) return;
  const folder = folderOf(values.out);
  keepStudy(folder, { name, title, command: ['npm run bench --', name, ...args].join(' '), tables, verdicts });
  note(`kept in ${folder}: the report of a run of this commit into that folder will have it`);
};
