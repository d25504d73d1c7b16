import type { Command } from '../command.ts';
import { configOptions, loadPartsFromCommandLine } from '../config/command-line.ts';
import { outputOptions, show } from '../output.ts';
import { keyParts, timeOf } from './key-config.ts';
import { type KeyState, readKeyStates } from './key-states.ts';

/** A key as the command shows it. Times are of RFC 3339, in whole seconds. */
const listed = ({ createdAt: _, activeAt: __, until, service, handle, ...key }: KeyState) => ({
  ...key,
  ...(service !== undefined && { service, handle }),
  ...(until !== undefined && { until: timeOf(until.getTime()) }),
});

const noKeys: Readonly<Record<string, string>> = {
  store: 'There are no keys yet: the first process that serves generates them.',
  external: 'There are no keys yet: the first process that serves reads them from the service.',
};

export const keysList: Command = {
  name: 'keys list',
  summary: 'Show the signing keys and the state of each, without private parts.',
  options: { ...configOptions, ...outputOptions },
  examples: ['carnet keys list --config carnet.yaml', 'carnet keys list --config carnet.yaml --format json'],
  run: async (values, surface) => {
    const config = loadPartsFromCommandLine(values, surface, keyParts);
    const keys = (await readKeyStates(config)).map(listed);
    if (keys.length === 0) surface.err(noKeys[config.keys.source ?? ''] ?? '');
    const isExternal = keys.some(({ service }) => service !== undefined);
    await show(values, surface, {
      body: keys,
      headers: ['KEY ID', 'ALGORITHM', 'STATE', 'UNTIL', ...(isExternal ? ['SERVICE', 'HANDLE'] : [])],
      rows: keys.map(({ kid, alg, state, until = '', service = '', handle = '' }) => [
        kid,
        alg,
        state,
        until,
        ...(isExternal ? [service, handle] : []),
      ]),
      ids: keys.map(({ kid }) => kid),
      isList: true,
    });
  },
};
