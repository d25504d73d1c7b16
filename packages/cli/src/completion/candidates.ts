import type { Command } from '../command.ts';

/** A word that can follow, with its explanation. */
export interface Candidate {
  readonly word: string;
  readonly summary: string;
}

/** The value that follows an option: a file, one of some words, or a text that no shell can complete. */
export type ValueKind = 'file' | 'text' | readonly string[];

/** Everything that the shells complete, from the table of commands. */
export interface Candidates {
  /** The words that can follow the words of the key: `keys` -> generate, import ... The empty key: the first words. */
  readonly next: ReadonlyMap<string, readonly Candidate[]>;
  /** The options of each command. */
  readonly options: ReadonlyMap<string, readonly Candidate[]>;
  /** The options that are followed by a value, with `-` or `--`. */
  readonly values: ReadonlyMap<string, ValueKind>;
}

const kindOf = (value: string): ValueKind => {
  if (/file|folder/.test(value)) return 'file';
  return /^[a-z-]+(?:\|[a-z-]+)+$/.test(value) && !value.includes('url') ? value.split('|') : 'text';
};

/** The words of operands such as `[all|public|admin]`. */
const operandWords = (operands = ''): readonly string[] =>
  /^[[<]([a-z]+(?:\|[a-z]+)+)[\]>]$/.exec(operands)?.[1]?.split('|') ?? [];

/** Adds a word after a prefix once. A word that begins several commands has the first of their summaries. */
const add = (next: Map<string, Candidate[]>, prefix: string, candidate: Candidate): void => {
  const known = next.get(prefix) ?? [];
  if (!known.some(({ word }) => word === candidate.word)) known.push(candidate);
  next.set(prefix, known);
};

export const candidatesOf = (commands: readonly Command[], topics: readonly Candidate[]): Candidates => {
  const next = new Map<string, Candidate[]>();
  const options = new Map<string, readonly Candidate[]>();
  const values = new Map<string, ValueKind>();
  for (const command of commands) {
    const words = command.name.split(' ');
    for (const [index, word] of words.entries()) {
      const prefix = words.slice(0, index).join(' ');
      const isLast = index === words.length - 1;
      const candidate = { word, summary: isLast ? command.summary : `carnet ${word} ...` };
      add(next, prefix, candidate);
      // `help` is followed by the words of a command.
      add(next, `help ${prefix}`.trim(), candidate);
    }
    if (command.name !== 'help')
      for (const word of operandWords(command.operands)) add(next, command.name, { word, summary: '' });
    const flags = Object.entries(command.options);
    options.set(command.name, [
      ...flags.map(([name, { summary }]) => ({ word: `--${name}`, summary })),
      { word: '--help', summary: 'Explain the command.' },
    ]);
    for (const [name, { type, value = '', short }] of flags) {
      if (type !== 'string') continue;
      for (const flag of [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]) values.set(flag, kindOf(value));
    }
  }
  for (const topic of topics) add(next, 'help', topic);
  return { next, options, values };
};
