import { version as current } from '../version.ts';
import { type Command, exitCodes } from './command.ts';

export const version: Command = {
  name: 'version',
  summary: 'Print the version.',
  options: {},
  run: (_values, { out }) => {
    out(current);
    return exitCodes.ok;
  },
};
