import type { Config } from '../config/schema.ts';
import { loadKeys } from '../keys/load-keys.ts';
import { createSigningKeys } from '../keys/signing-keys.ts';
import { type Command, exitCodes } from './command.ts';
import { configOptions, loadFromCommandLine } from './load.ts';
import { withRotation } from './open-rotation.ts';

const line = (alg: string, state: string, kid: string, note = ''): string =>
  `${alg.padEnd(6)} ${state.padEnd(9)} ${kid}${note && `  ${note}`}`;

const day = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ');

const notes: Readonly<Record<string, (until: string) => string>> = {
  announced: (until) => `signs from ${until} UTC`,
  active: (until) => `signs until ${until} UTC`,
  retired: (until) => `published until ${until} UTC`,
};

const listStored = (config: Config): Promise<readonly string[]> =>
  withRotation(config, async (rotation) =>
    (await rotation.states()).map(({ key: { alg, kid }, state, until }) =>
      line(alg, state, kid, until === undefined ? '' : notes[state]?.(day(until))),
    ),
  );

const listFixed = ({ keys }: Config): readonly string[] => {
  const { signers, signerFor } = createSigningKeys(loadKeys(keys).signers);
  return signers.map((signer) =>
    line(signer.alg, signerFor(signer.alg) === signer ? 'active' : 'published', signer.kid),
  );
};

export const keysList: Command = {
  name: 'keys list',
  summary: 'Show the signing keys, and what each is used for now. No private parts.',
  options: configOptions,
  run: async (values, surface) => {
    const { config } = loadFromCommandLine(values, surface);
    const lines = config.keys.source === 'store' ? await listStored(config) : listFixed(config);
    for (const each of lines) surface.out(each);
    if (lines.length === 0) surface.err('There are none yet: the first process that serves makes them.');
    return exitCodes.ok;
  },
};
