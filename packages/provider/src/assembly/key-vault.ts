import type { StorageAdapter } from '@carnet/adapter-contract';
import type { KeyWrapper } from '@carnet/signer-contract';
import type { Config } from '../config/schema.ts';
import type { ObserveCall } from '../keys/remote/calls.ts';
import { openDataKey } from '../keys/remote/data-key.ts';
import { openWrapper, ownSigners } from '../keys/remote/open-signers.ts';
import { createVault, type Vault } from '../keys/sealing/vault.ts';
import { schemeOf } from '../storage/schemes.ts';

interface KeyVaultDependencies {
  readonly config: Pick<Config, 'keys' | 'secrets'>;
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
  /** Used for `signer:`. The caller closes it. */
  readonly keyWrapper?: KeyWrapper;
  readonly observe?: ObserveCall;
}

/**
 * The vault of the keys in the store.
 *
 * @throws ConfigError, CarnetError `signer_unavailable` if the service of `keys.sealedBy` does not decrypt its key
 */
export const openKeyVault = async (deps: KeyVaultDependencies): Promise<Vault> => {
  const { config, adapter, keyWrapper, observe = () => undefined } = deps;
  const { sealedBy } = config.keys;
  const { system } = config.secrets;
  if (sealedBy === undefined) return createVault(system);
  const own = sealedBy === ownSigners ? keyWrapper : undefined;
  const wrapper = own ?? (await openWrapper(sealedBy));
  try {
    const sealingKey = await openDataKey({ adapter, wrapper, service: schemeOf(sealedBy), observe });
    // The first encrypts. The others decrypt keys that were stored before.
    return createVault([sealingKey, ...system]);
  } finally {
    if (own === undefined) await wrapper.close();
  }
};
