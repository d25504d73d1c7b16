import type { Environment } from '../config/env.ts';

/** What a process of `carnet` ends with. */
export const exitCodes = {
  ok: 0,
  /** It could not go on: a port is taken, the store does not answer, a worker did not start. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** The configuration is refused; starting again will not help (EX_CONFIG of sysexits.h). */
  config: 78,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export interface Option {
  readonly type: 'string' | 'boolean';
  /** How the value is shown in the help. */
  readonly value?: string;
  readonly summary: string;
}

/** What a command may touch. */
export interface Surface {
  readonly env: Environment;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

export type Values = Readonly<Record<string, string | boolean | undefined>>;

export interface Command {
  /** One or two words: `keys generate`. */
  readonly name: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Whether words may follow the name, and what they are. */
  readonly operands?: string;
  run(values: Values, surface: Surface, operands: readonly string[]): Promise<ExitCode> | ExitCode;
}

/** A command line that can't be understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A string option, absent when it was not given. */
export const text = (values: Values, name: string): string | undefined => {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
};
