import { suggest } from '@carnet/provider/config';
import { UsageError } from '../command.ts';
import { describedMembers, describedSettings, type Setting } from '../config/described-settings.ts';
import { variables } from '../config/variables.ts';
import { columns } from './columns.ts';
import type { DocumentTable } from './document-table.ts';
import { exitCodeRows } from './exit-codes.ts';
import { documentTables } from './tables.ts';

interface Topic {
  readonly name: string;
  readonly summary: string;
  /** `rest`: the words after the name. */
  readonly lines: (rest: string) => readonly string[];
}

const settingLines = ({ key, variables: names, default: value, description, choices }: Setting): readonly string[] => [
  `  ${key}`,
  ...(description === '' ? [] : [`      ${description.replaceAll('`', '')}`]),
  ...(choices.length === 0 ? [] : [`      One of: ${choices.join(', ')}`]),
  ...(value === undefined ? [] : [`      Default: ${value}`]),
  ...(names.length === 0 ? [] : [`      Variable: ${names.join(', ')}`]),
];

const isBelow = (key: string, prefix: string): boolean => key === prefix || key.startsWith(`${prefix}.`);

/** The sections of the configuration, and how to see one. */
const sectionLines = (settings: readonly Setting[]): readonly string[] => [
  'The sections of the configuration. `carnet help config <key>` shows the settings below a key:',
  '',
  ...[...new Set(settings.map(({ key }) => key.split('.')[0]))].map((name) => `  ${name}`),
];

const unknownKey = (key: string, settings: readonly Setting[]): UsageError => {
  const keys = settings.map((setting) => setting.key);
  const last = key.split('.').at(-1) ?? key;
  const meant = suggest(key, [...keys, ...new Set(keys.map((one) => one.split('.')[0] ?? ''))]);
  const same = keys.find((one) => one.endsWith(`.${last}`));
  const advice = meant ?? same;
  return new UsageError(`There is no key "${key}".${advice === undefined ? '' : ` Did you mean "${advice}"?`}`);
};

/** The settings below a key, or the members of the items of a list. */
const configLines = (prefix: string): readonly string[] => {
  const settings = describedSettings();
  if (prefix === '') return sectionLines(settings);
  const found = settings.filter(({ key }) => isBelow(key, prefix));
  if (found.length === 0) throw unknownKey(prefix, settings);
  const members = found.length === 1 ? describedMembers(found[0]?.key ?? '') : [];
  return [
    ...found.flatMap(settingLines),
    ...(members.length === 0 ? [] : ['', `Members of each item of ${prefix}:`, '', ...members.flatMap(settingLines)]),
  ];
};

/** The widest row of columns before the last one that fits a terminal. */
const maxWidth = 60;

/** A row as a block: its first cell, and below it the others, each with its header. */
const blockOf = (header: readonly string[], [first = '', ...others]: readonly string[]): readonly string[] => [
  `  ${first}`,
  ...others.flatMap((cell, index) =>
    cell === '' ? [] : [`      ${[header[index + 1], cell].filter(Boolean).join(': ')}`],
  ),
];

const isWide = (rows: readonly (readonly string[])[]): boolean =>
  rows.some((row) => row.slice(0, -1).join('  ').length > maxWidth);

const tableLines = ({ title, source, header, rows }: DocumentTable): readonly string[] => [
  `${title} (${source}):`,
  '',
  ...(isWide(rows) ? rows.flatMap((row) => blockOf(header, row)) : columns([header, ...rows])),
];

/** The topics of `carnet help`. */
export const topics: readonly Topic[] = [
  {
    name: 'config',
    summary: 'The settings below a key of the configuration: carnet help config ttl',
    lines: configLines,
  },
  { name: 'keys', summary: 'The settings of signing keys', lines: () => configLines('keys') },
  { name: 'clients', summary: 'The members of a client in the configuration', lines: () => configLines('clients') },
  {
    name: 'variables',
    summary: 'The environment variables, with the keys that they set',
    lines: () => columns(variables.map(({ name, key }) => [name, key])),
  },
  { name: 'exit-codes', summary: 'The exit codes of carnet', lines: () => columns(exitCodeRows) },
  ...Object.entries(documentTables).map(
    ([name, table]): Topic => ({ name, summary: table.title, lines: () => tableLines(table) }),
  ),
];
