import { unsealStoredKeys } from '@carnet/provider/keys';
import type { Command } from '../command.ts';
import { issuerOptions } from '../config/command-line.ts';
import { assertManaged, loadKeyConfig } from './key-config.ts';

export const keysUnseal: Command = {
  name: 'keys unseal',
  summary:
    'Encrypt the keys in the store with SECRETS_SYSTEM alone, before KEYS_SEALED_BY is removed or set to another key. Stop all servers first.',
  options: issuerOptions,
  examples: ['carnet keys unseal --config carnet.yaml'],
  run: async (values, surface) => {
    const config = loadKeyConfig(values, surface);
    assertManaged(config);
    if (config.keys.sealedBy === undefined) {
      throw new Error('KEYS_SEALED_BY is not set. Set it to the key that encrypts the keys now.');
    }
    const count = await unsealStoredKeys(config);
    surface.out(`${count} keys are encrypted with SECRETS_SYSTEM. Remove KEYS_SEALED_BY before a server starts.`);
  },
};
