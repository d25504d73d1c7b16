import type { Verdict } from '../figures.ts';
import type { ProfileSummary } from '../profiles/origin.ts';
import type { Outcome } from '../run-scenario.ts';
import type { Table } from '../studies/study.ts';
import type { Target } from '../targets/target.ts';
import { UsageError } from '../usage-error.ts';

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGigabytes: number;
  readonly system: string;
  /** The share of the CPU that other programs used before the start: 0 to 1. */
  readonly busyShare?: number;
}

export interface Commit {
  readonly id: string;
  /** Whether the working tree had more than was committed. */
  readonly isDirty: boolean;
}

/** The result of a study. */
export interface StudyResult {
  readonly name: string;
  readonly title: string;
  /** The command that repeats it. */
  readonly command: string;
  readonly tables: readonly Table[];
  readonly verdicts: readonly Verdict[];
}

/** `results.json`: all data of a run. Unknown values are `null` in the file and `NaN` once it is read. */
export interface Results {
  readonly format: 2;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly seconds: number;
  /** The command that repeats it. */
  readonly command: string;
  readonly isQuick: boolean;
  readonly commit: Commit;
  readonly machine: Machine;
  readonly versions: Readonly<Record<string, string>>;
  readonly targets: readonly Pick<Target, 'name' | 'settings'>[];
  readonly outcomes: readonly Outcome[];
  readonly verdicts: readonly Verdict[];
  /** With `--profile`. */
  readonly profiles: readonly ProfileSummary[];
  /** Studies of the same commit in the same folder. */
  readonly studies: readonly StudyResult[];
}

export const formatResults = (results: Results): string => `${JSON.stringify(results, null, 2)}\n`;

/** @throws UsageError for a file of another release */
export const readResults = (text: string): Results => {
  const results = JSON.parse(text, (_, value) => (value === null ? Number.NaN : value)) as Results;
  if (results.format !== 2) throw new UsageError('results.json is of another release: run the bench again');
  return results;
};
