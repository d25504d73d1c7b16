import { createSigningKeys, loadKeys, withStoredKeys } from '@carnet/provider/keys';
import type { Command } from '../command.ts';
import { issuerOptions } from '../config/command-line.ts';
import { outputOptions, show } from '../output.ts';
import { areManaged, type KeyConfig, loadKeyConfig, timeOf } from './key-config.ts';

interface ListedKey {
  readonly kid: string;
  readonly alg: string;
  /** `published`: a key in a file that verifies, but does not sign. */
  readonly state: string;
  /** When the state ends, if known (RFC 3339). */
  readonly until?: string;
  /** The kind of service that holds the key, and its name for the key version. */
  readonly service?: string;
  readonly handle?: string;
}

const listStored = (config: KeyConfig): Promise<readonly ListedKey[]> =>
  withStoredKeys(config, async (rotation) =>
    (await rotation.states()).map(({ key: { alg, kid, remote }, state, until }) => ({
      kid,
      alg,
      state,
      ...remote,
      ...(until === undefined ? {} : { until: timeOf(until) }),
    })),
  );

const listFixed = ({ keys }: KeyConfig): readonly ListedKey[] => {
  const { signers, signerFor } = createSigningKeys(loadKeys(keys).signers);
  return signers.map((signer) => ({
    kid: signer.kid,
    alg: signer.alg,
    state: signerFor(signer.alg) === signer ? 'active' : 'published',
  }));
};

const noKeys: Readonly<Record<string, string>> = {
  store: 'There are no keys yet: the first process that serves generates them.',
  external: 'There are no keys yet: the first process that serves reads them from the service.',
};

export const keysList: Command = {
  name: 'keys list',
  summary: 'Show the signing keys and the state of each, without private parts.',
  options: { ...issuerOptions, ...outputOptions },
  examples: ['carnet keys list --config carnet.yaml', 'carnet keys list --config carnet.yaml --format json'],
  run: async (values, surface) => {
    const config = loadKeyConfig(values, surface);
    const keys = areManaged(config) ? await listStored(config) : listFixed(config);
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
