import type { Command, Option } from '../../packages/cli/src/command.ts';
import { commands } from '../../packages/cli/src/run.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '\\<');

const optionOf = ([name, { short, value, multiple }]: readonly [string, Option]): string =>
  [
    ...(short === undefined ? [] : [`\`-${short}\`, `]),
    `\`--${name}${value === undefined ? '' : ` <${value}>`}\``,
    ...(multiple ? [', may be repeated'] : []),
  ].join('');

const optionTable = (options: Command['options']): readonly string[] => {
  const rows = Object.entries(options).map((entry) => `| ${optionOf(entry)} | ${cell(entry[1].summary)} |`);
  return rows.length === 0 ? [] : [['| option | |', '| --- | --- |', ...rows].join('\n')];
};

const sectionOf = ({ name, summary, aliases = [], operands, options, examples = [] }: Command): string =>
  [
    `## carnet ${name}`,
    summary.replaceAll('<', '\\<'),
    ...(operands === undefined ? [] : [`Operands: \`${operands}\`.`]),
    ...(aliases.length === 0 ? [] : [`Also: ${aliases.map((alias) => `\`carnet ${alias}\``).join(', ')}.`]),
    ...optionTable(options),
    ...(examples.length === 0 ? [] : [['```sh', ...examples, '```'].join('\n')]),
  ].join('\n\n');

/** docs/reference/commands.md: every command, from the table that the command line is parsed by. */
export const commandsDocs = (): string =>
  `${[
    '# Commands',
    '<!-- Generated from the table of commands by `npm run setup`. -->',
    'The command `carnet` is in the package `@carnet/cli`. It reads the [configuration](configuration.md) from the environment ' +
      'and, with `--config`, from a file. `carnet help <command>` shows the text below in the terminal.',
    [
      '| exit code | |',
      '| --- | --- |',
      '| 0 | done; `serve`: stopped by a signal |',
      '| 1 | failed: a port is in use, the store or the server does not answer, the server refused |',
      '| 2 | the command line is wrong |',
      '| 78 | the configuration is refused: a restart does not help |',
    ].join('\n'),
    ...commands.map(sectionOf),
  ].join('\n\n')}\n`;
