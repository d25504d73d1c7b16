import { redact } from '@carnet/provider/config';
import type { Command } from '../command.ts';
import { configOptions, loadFromCommandLine } from '../config/command-line.ts';
import { commandSchema } from '../config/schema.ts';

export const configPrint: Command = {
  name: 'config print',
  summary: 'Check the configuration and print it with every secret masked.',
  options: configOptions,
  examples: ['carnet config print --dev'],
  run: (values, surface) => {
    const { config, warnings } = loadFromCommandLine(values, surface);
    for (const warning of warnings) surface.err(`warning: ${warning}`);
    surface.out(JSON.stringify(redact(commandSchema, config), null, 2));
  },
};
