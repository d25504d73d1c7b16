import type { Command } from '../command.ts';

export const configSchemaCommand: Command = {
  name: 'config schema',
  summary: 'Print the JSON Schema of a configuration file.',
  options: {},
  examples: ['carnet config schema > carnet.schema.json'],
  run: async (_values, { out }) => {
    const [{ configJsonSchema }, { commandSchema }] = await Promise.all([
      import('@carnet/provider/config'),
      import('../config/schema.ts'),
    ]);
    out(JSON.stringify(configJsonSchema(commandSchema), null, 2));
  },
};
