import type { Environment } from './env.ts';

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
  /** May be given more than once. Values may be separated by commas, too. */
  readonly multiple?: true;
  /** One letter. */
  readonly short?: string;
  /** How the value is shown in the help. */
  readonly value?: string;
  readonly summary: string;
}

/** What a command may touch. */
export interface Surface {
  readonly env: Environment;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** What is piped into the command; nothing by default. */
  readonly in?: () => Promise<string>;
  /** Somebody looks at what is written. Default false. */
  readonly isTerminal?: boolean;
}

export type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

export interface Command {
  /** One or two words: `keys generate`. */
  readonly name: string;
  /** Other spellings: Hydra's. Up to three words. */
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Whether words may follow the name, and what they are. */
  readonly operands?: string;
  /** Whole command lines, each of which the tests run. */
  readonly examples?: readonly string[];
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

/** The values of an option that may be given more than once. */
export const texts = (values: Values, name: string): readonly string[] => {
  const value = values[name];
  if (value === undefined || typeof value === 'boolean') return [];
  return [value].flat().flatMap((one) =>
    String(one)
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
};

/** The one operand there has to be. */
export const onlyOperand = (operands: readonly string[], what: string): string => {
  const [operand, ...more] = operands;
  if (operand === undefined || more.length > 0) throw new UsageError(`Give one ${what}.`);
  return operand;
};

/** At least one operand. */
export const someOperands = (operands: readonly string[], what: string): readonly string[] => {
  if (operands.length === 0) throw new UsageError(`Give at least one ${what}.`);
  return operands;
};
