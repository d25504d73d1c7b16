import { isDeepStrictEqual } from 'node:util';
import { isTree, redact, type Tree } from '@carnet/provider/config';
import { type Command, text } from '../command.ts';
import { issuerOptions, loadFromCommandLine } from '../config/command-line.ts';
import { issuerNamed } from '../config/load-config.ts';
import { type CommandConfig, commandSchema } from '../config/schema.ts';

/** The members in which a configuration differs from another one. */
const differencesOf = (own: Tree, other: Tree): Tree =>
  Object.fromEntries(
    Object.entries(own).flatMap(([key, value]): [string, unknown][] => {
      const same = other[key];
      if (isDeepStrictEqual(value, same)) return [];
      return [[key, isTree(value) && isTree(same) ? differencesOf(value, same) : value]];
    }),
  );

/** The configuration of one issuer, with its secrets masked. */
const shown = (config: CommandConfig): Tree => {
  const { issuers: _issuers, ...own } = redact(commandSchema, config);
  return own;
};

/** The configuration of the first issuer, and of each other one the keys in which it differs. */
const shownWith = (config: CommandConfig, issuers: ReadonlyMap<string, CommandConfig>): Tree => {
  const first = shown(config);
  if (issuers.size === 0) return first;
  const further = [...issuers].map(([name, own]) => [name, differencesOf(shown(own), first)]);
  return { ...first, issuers: Object.fromEntries(further) };
};

export const configPrint: Command = {
  name: 'config print',
  summary: 'Check the configuration and print it with every secret masked.',
  options: issuerOptions,
  examples: ['carnet config print --dev'],
  run: (values, surface) => {
    const { config, issuers, warnings } = loadFromCommandLine(values, surface);
    for (const warning of warnings) surface.err(`warning: ${warning}`);
    const name = text(values, 'issuer');
    const printed = name === undefined ? shownWith(config, issuers) : shown(issuerNamed(name, issuers));
    surface.out(JSON.stringify(printed, null, 2));
  },
};
