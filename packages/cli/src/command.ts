import type { Environment } from './env.ts';

/** The exit codes of `carnet`. */
export const exitCodes = {
  ok: 0,
  /** The command failed: a port is in use, the store does not answer, a worker did not start. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** The configuration is refused. A restart does not help (EX_CONFIG of sysexits.h). */
  config: 78,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export interface Option {
  readonly type: 'string' | 'boolean';
  /** The option may be repeated, and its values may be separated by commas. */
  readonly multiple?: true;
  /** One letter. */
  readonly short?: string;
  /** How the value is shown in the help. */
  readonly value?: string;
  readonly summary: string;
}

/** The environment, the input and the output of a command. */
export interface Surface {
  readonly env: Environment;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** Reads the standard input. Default: empty. */
  readonly in?: () => Promise<string>;
  /** Whether the output is a terminal. Default false. */
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
  /** The words that may follow the name, as shown in the help. Default: none. */
  readonly operands?: string;
  /** Whole command lines, each of which the tests run. */
  readonly examples?: readonly string[];
  /** Undefined: `ok`. */
  run(
    values: Values,
    surface: Surface,
    operands: readonly string[],
  ): Promise<ExitCode | undefined> | ExitCode | undefined;
}

/** The command line is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The value of a string option; undefined if it was not given. */
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

/** The only operand. @throws UsageError if there is none, or more than one */
export const onlyOperand = (operands: readonly string[], what: string): string => {
  const [operand, ...more] = operands;
  if (operand === undefined || more.length > 0) throw new UsageError(`Give one ${what}.`);
  return operand;
};

/** The operands. @throws UsageError if there is none */
export const someOperands = (operands: readonly string[], what: string): readonly string[] => {
  if (operands.length === 0) throw new UsageError(`Give at least one ${what}.`);
  return operands;
};
