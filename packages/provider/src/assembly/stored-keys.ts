import type { StorageAdapter } from '@carnet/adapter-contract';
import type { KeyWrapper } from '@carnet/signer-contract';
import type { Config } from '../config/schema.ts';
import { ConfigError } from '../errors.ts';
import { wrappedKeyRecord } from '../keys/remote/data-key.ts';
import { openRotation, type Rotation } from '../keys/rotation/rotation.ts';
import { createVault } from '../keys/sealing/vault.ts';
import { listKeyRecords } from '../keys/sets/key-sets.ts';
import { sealAgain } from '../keys/sources/stored-keys.ts';
import { bindStores, composeStores } from '../storage/compose.ts';
import { guardAdapter } from '../storage/guard.ts';
import { openStores } from '../storage/open-storage.ts';
import { openKeyVault } from './signing-keys.ts';

const withStore = async <T>(storage: Config['storage'], use: (adapter: StorageAdapter) => Promise<T>): Promise<T> => {
  const { stores, close } = await openStores(storage);
  try {
    return await use(guardAdapter(composeStores(bindStores(stores, undefined))));
  } finally {
    await close();
  }
};

/**
 * Calls `use` with the signing keys in the store, and closes the store afterwards. Processes that serve may use the keys at
 * the same time: each notices a change within `keys.pollSeconds`.
 *
 * @throws ConfigError when the store can't be used as it is; CarnetError `storage_unavailable`, `signer_unavailable`
 */
export const withStoredKeys = <T>(
  { storage, secrets, keys }: Pick<Config, 'storage' | 'secrets' | 'keys'>,
  use: (rotation: Rotation) => Promise<T>,
): Promise<T> =>
  withStore(storage, async (adapter) => {
    const vault = await openKeyVault({ config: { keys, secrets }, adapter });
    return use(openRotation({ config: keys, adapter, vault, now: Date.now }).rotation);
  });

/**
 * Encrypts the keys in the store with `secrets.system` alone, and removes the key that the service of `keys.sealedBy` has
 * encrypted. No process may serve meanwhile: it would encrypt them as before. Returns how many keys were changed.
 *
 * @param keyWrapper for `signer:`, as of `createProvider`
 * @throws ConfigError, CarnetError `storage_unavailable`, `signer_unavailable`
 */
export const unsealStoredKeys = (
  { storage, secrets, keys }: Pick<Config, 'storage' | 'secrets' | 'keys'>,
  keyWrapper?: KeyWrapper,
): Promise<number> =>
  withStore(storage, async (adapter) => {
    const { open } = await openKeyVault({ config: { keys, secrets }, adapter, keyWrapper });
    const { seal, isCurrent } = createVault(secrets.system);
    const records = (await listKeyRecords(adapter)).filter(
      ({ id, payload }) => id !== wrappedKeyRecord.id && !isCurrent(payload),
    );
    const lost = records.filter(({ id, payload }) => open(id, payload) === undefined);
    if (lost.length > 0) {
      throw new ConfigError([
        `secrets.system: ${lost.length} keys in the store were encrypted with a secret that is not configured. Append that secret to the list. No key was changed.`,
      ]);
    }
    const count = await sealAgain(records, { adapter, vault: { open, seal } });
    await adapter.commit([{ type: 'remove', key: wrappedKeyRecord }]);
    return count;
  });
