/** A question with a command of its own: `pnpm bench <name> [option ...]`. */
export interface Study {
  readonly name: string;
  readonly title: string;
  /** Its options and their defaults; what defaults to a number takes one. */
  readonly options: Readonly<Record<string, string>>;
  run(values: Readonly<Record<string, string>>): Promise<Findings>;
}

/** Rows of cells, the first row being the head. */
export type Table = readonly (readonly string[])[];

export interface Findings {
  readonly tables: readonly Table[];
  /** What a figure is promised for. */
  readonly readings?: readonly Reading[];
}

/** Of a study, on what it was measured, in the unit of its figure. */
export interface Reading {
  readonly name: string;
  readonly target: string;
  readonly value: number;
}

/** A line of the result. */
export const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** What is under way. */
export const note = (text: string): void => void process.stderr.write(`${text}\n`);

/** Columns: the first of them are aligned to the left, the others to the right. */
export const tableOf = (rows: readonly (readonly string[])[], leftColumns = 1): string => {
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const cell = (text: string, column: number): string =>
    column < leftColumns ? text.padEnd(width(column)) : text.padStart(width(column));
  return rows.map((row) => row.map(cell).join('  ')).join('\n');
};

/** As many digits as a reader needs. */
export const rounded = (value: number): string => (Number.isFinite(value) ? value.toFixed(value >= 100 ? 0 : 1) : '');
