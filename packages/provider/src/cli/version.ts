import { version } from '../version.ts';
import { type Command, exitCodes } from './command.ts';

export const versionCommand: Command = {
  name: 'version',
  summary: 'Print the version.',
  options: {},
  examples: ['carnet version'],
  run: (_values, { out }) => {
    out(version);
    return exitCodes.ok;
  },
};
