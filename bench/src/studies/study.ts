/** A question with a command of its own: `pnpm bench <name> [option ...]`. */
export interface Study {
  readonly name: string;
  readonly title: string;
  /** Its options and their defaults. An option whose default is a number takes a number. */
  readonly options: Readonly<Record<string, string>>;
  /** Options that may be given several times, each with the form of its value. */
  readonly repeated?: Readonly<Record<string, string>>;
  /** Whether it takes names of scenarios, and `--quick`. */
  readonly takesScenarios?: boolean;
  run(values: Readonly<Record<string, string>>, more: StudyArguments): Promise<Findings>;
}

export interface StudyArguments {
  readonly scenarios: readonly string[];
  readonly isQuick: boolean;
  /** The values of each repeated option. */
  readonly repeated: Readonly<Record<string, readonly string[]>>;
}

/** Rows of cells, the first row being the head. */
export type Table = readonly (readonly string[])[];

export interface Findings {
  readonly tables: readonly Table[];
  /** The values for which there are figures. */
  readonly readings?: readonly Reading[];
}

/** A value that a study measured, in the unit of its figure. */
export interface Reading {
  readonly name: string;
  readonly target: string;
  readonly value: number;
}

/** Prints a line of the result. */
export const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Prints the progress. */
export const note = (text: string): void => void process.stderr.write(`${text}\n`);

/** Columns: the first of them are aligned to the left, the others to the right. */
export const tableOf = (rows: readonly (readonly string[])[], leftColumns = 1): string => {
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const cell = (text: string, column: number): string =>
    column < leftColumns ? text.padEnd(width(column)) : text.padStart(width(column));
  return rows.map((row) => row.map(cell).join('  ')).join('\n');
};

/** Few enough digits to read. */
export const rounded = (value: number): string => (Number.isFinite(value) ? value.toFixed(value >= 100 ? 0 : 1) : '');
