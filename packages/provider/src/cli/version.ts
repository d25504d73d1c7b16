import { readFileSync } from 'node:fs';
import { type Command, exitCodes } from './command.ts';

const readVersion = (): string =>
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;

export const version: Command = {
  name: 'version',
  summary: 'Print the version.',
  options: {},
  run: (_values, { out }) => {
    out(readVersion());
    return exitCodes.ok;
  },
};
