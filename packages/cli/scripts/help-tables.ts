import { readFileSync } from 'node:fs';

/** The tables of the documents that `carnet help <name>` shows: the document, and the first cell of the header. */
const shown = {
  errors: { file: 'docs/reference/errors.md', head: 'code', title: 'The errors of Carnet' },
  'oauth-errors': { file: 'docs/reference/errors.md', head: 'error', title: 'The errors that OAuth clients get' },
  metrics: { file: 'docs/operate/operations.md', head: 'metric', title: 'The metrics of GET /metrics/prometheus' },
  stores: { file: 'docs/operate/adapters.md', head: 'store', title: 'The stores' },
  records: { file: 'docs/operate/scaling.md', head: 'key', title: 'The stores of single record types' },
  pages: { file: 'docs/guides/branding.md', head: 'variable', title: 'The variables of the bundled pages' },
  factors: { file: 'docs/guides/second-factors.md', head: 'kind', title: 'The second factors' },
  policies: { file: 'docs/guides/second-factors.md', head: 'policy', title: 'The policies of second factors' },
  'directory-steps': {
    file: 'docs/guides/directories.md',
    head: 'step',
    title: 'The steps of a sign-in that can fail',
  },
  'password-hashes': { file: 'docs/guides/directories.md', head: 'format', title: 'The accepted password hashes' },
  functions: { file: 'docs/guides/in-process.md', head: 'object', title: 'The functions of the API in process' },
  'hydra-keys': { file: 'docs/migrate/from-hydra.md', head: "Hydra's key", title: 'The keys of Ory Hydra' },
  'hydra-commands': { file: 'docs/migrate/from-hydra.md', head: "Hydra's command", title: 'The commands of Ory Hydra' },
} as const;

/** A cell without the marks of Markdown, for a terminal. */
const textOf = (cell: string): string =>
  cell
    .trim()
    .replaceAll('\\|', '|')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*\*([^*]+)\*\*/g, '$1')
    .replaceAll('`', '')
    .replaceAll('<br>', ' ');

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map(textOf);

const tableIn = ({ file, head, title }: (typeof shown)[keyof typeof shown]) => {
  const lines = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8').split('\n');
  const start = lines.findIndex((line) => line.startsWith('|') && cellsOf(line)[0] === head);
  if (start < 0) throw new Error(`${file} has no table that begins with ${head}`);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return {
    title,
    source: file,
    header: cellsOf(lines[start] as string),
    rows: lines.slice(start + 2, end).map(cellsOf),
  };
};

/** `src/help/tables.ts`, from the documents. */
export const helpTables = (): string => {
  const tables = Object.entries(shown).map(
    ([name, table]) => `  ${JSON.stringify(name)}: ${JSON.stringify(tableIn(table))},\n`,
  );
  return `// Generated from the documents by \`npm run setup\`.

import type { DocumentTable } from './document-table.ts';

/** The tables of the documents, by the topic of \`carnet help\`. */
export const documentTables: Readonly<Record<string, DocumentTable>> = {
${tables.join('')}};
`;
};
