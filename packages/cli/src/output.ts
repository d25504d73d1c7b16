import { type Option, type Surface, text, UsageError, type Values } from './command.ts';

const formats = ['table', 'json', 'json-pretty', 'yaml'] as const;
type Format = (typeof formats)[number];

/** The options of every command that prints a table. */
export const outputOptions = {
  format: { type: 'string', value: formats.join('|'), summary: 'The output format. Default table.' },
  quiet: { type: 'boolean', short: 'q', summary: 'Print only the ids, one per line.' },
} as const satisfies Record<string, Option>;

/** The output of a command, in each format. */
export interface Shown {
  /** As JSON or YAML. */
  readonly body: unknown;
  readonly headers: readonly string[];
  /** A single row is shown as a column. */
  readonly rows: readonly (readonly string[])[];
  readonly ids: readonly string[];
  readonly isList?: boolean;
  /** Lines below the table. */
  readonly notes?: readonly string[];
}

// Registered values are printed to a terminal, which would interpret control characters.
const cell = (value: string): string => value.replaceAll(/\p{Cc}/gu, ' ');

/** A text of one or more lines, without the control characters that a terminal would interpret. */
export const printable = (text: string): string => text.replaceAll(/(?![\n\t])\p{Cc}/gu, ' ');

const padded = (rows: readonly (readonly string[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((value, column) => value.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

const tableOf = ({ headers, rows, isList, notes = [] }: Shown): string[] => {
  const cells = rows.map((row) => row.map(cell));
  const [first] = cells;
  const lines =
    isList || first === undefined ? [headers, ...cells] : headers.map((header, index) => [header, first[index] ?? '']);
  return [...padded(lines), ...notes];
};

const formatOf = (values: Values): Format => {
  const format = text(values, 'format') ?? 'table';
  if ((formats as readonly string[]).includes(format)) return format as Format;
  throw new UsageError(`--format must be one of ${formats.join(', ')}.`);
};

/** @throws UsageError if `--format` is unknown */
export const assertFormat = (values: Values): void => void formatOf(values);

/** Prints the output of a command in the format that its options name. */
export const show = async (values: Values, { out }: Pick<Surface, 'out'>, shown: Shown): Promise<void> => {
  const format = formatOf(values);
  if (values.quiet === true) {
    for (const id of shown.ids) out(id);
  } else if (format === 'table') {
    for (const line of tableOf(shown)) out(line);
  } else if (format === 'yaml') {
    const { stringify } = await import('yaml');
    out(stringify(shown.body).trimEnd());
  } else {
    out(JSON.stringify(shown.body, null, format === 'json-pretty' ? 2 : undefined));
  }
};

/** The output of a command that only prints the ids of the records it changed. */
export const shownIds = (ids: readonly string[]): Shown => ({
  body: ids.length === 1 ? ids[0] : ids,
  headers: ['ID'],
  rows: ids.map((id) => [id]),
  ids,
  isList: true,
});
