import { StoreUnfitError } from '@carnet/adapter-contract';
import pg from 'pg';

/** A setting of Postgres and its value. */
export type Setting = readonly [name: string, value: string];

/** As `options` of the startup packet: they apply to the whole session. */
export const toStartupOptions = (settings: readonly Setting[]): string =>
  settings.map(([name, value]) => `-c ${name}=${value.replace(/[\\\s]/g, '\\$&')}`).join(' ');

/** The begin of a transaction to which the settings apply, and to nothing after it. */
export const toTransactionBegin = (settings: readonly Setting[]): string => {
  const calls = settings.map(([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value)}, true)`);
  return `begin isolation level repeatable read; select ${calls.join(', ')}`;
};

const wordsOf = (options: string): string[] =>
  (options.match(/(?:\\.|[^\\\s])+/gs) ?? []).map((word) => word.replace(/\\(.)/gs, '$1'));

const parseSetting = (text: string): Setting => {
  const [, name, value] = /^(?:-c|--)([a-z_][\w.-]*)=(.*)$/is.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new StoreUnfitError('The parameter "options" of the Postgres URL must be a list like "-c name=value".');
  return [name.replaceAll('-', '_'), value];
};

/**
 * Parses the parameter `options` of a URL, as Postgres parses it: `-c name=value`, `-cname=value` or `--name=value`,
 * with a backslash before a space.
 *
 * @throws StoreUnfitError for everything else
 */
export const parseOptions = (options: string): readonly Setting[] => {
  const settings: Setting[] = [];
  const words = wordsOf(options);
  for (let word = words.shift(); word !== undefined; word = words.shift())
    settings.push(parseSetting(word === '-c' ? `-c${words.shift()}` : word));
  return settings;
};
