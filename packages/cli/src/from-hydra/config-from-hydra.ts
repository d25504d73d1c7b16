import { type Command, onlyOperand, type Surface, UsageError, type Values } from '../command.ts';

const readHydra = async (values: Values, operands: readonly string[], { env }: Surface) => {
  const { hydraFromEnvironment } = await import('./convert.ts');
  const { readConfigFile } = await import('../config/read-file.ts');
  const { mergeTrees } = await import('@carnet/provider/config');
  if (operands.length === 0 && values.env !== true)
    throw new UsageError('Name the configuration file of Hydra, or add --env.');
  const file = operands.length === 0 ? {} : readConfigFile(onlyOperand(operands, 'file'));
  // In Hydra, too, variables override the file.
  return values.env === true ? mergeTrees(file, hydraFromEnvironment(env)) : file;
};

export const configFromHydra: Command = {
  name: 'config from-hydra',
  summary: 'Convert a configuration of Ory Hydra, secrets included, and report what was left out.',
  options: {
    env: {
      type: 'boolean',
      summary: "Read Hydra's variables (DSN, URLS_SELF_ISSUER ...). They override the file.",
    },
  },
  operands: '[hydra.yml]',
  examples: ['carnet config from-hydra hydra.yml > converted.yaml', 'DSN=memory carnet config from-hydra --env'],
  run: async (values, surface, operands) => {
    const { convertHydra } = await import('./convert.ts');
    const { stringify } = await import('yaml');
    const { settings, notes } = convertHydra(await readHydra(values, operands, surface));
    surface.out(stringify(settings).trimEnd());
    for (const note of notes) surface.err(`note: ${note}`);
  },
};
