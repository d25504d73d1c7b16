import type { Config } from '../config/schema.ts';
import { openRotation } from '../keys/open-rotation.ts';
import type { Rotation } from '../keys/rotation.ts';
import { createVault } from '../keys/vault.ts';
import { composeStores } from '../storage/compose.ts';
import { guardAdapter } from '../storage/guard.ts';
import { openStores } from '../storage/open-storage.ts';

/**
 * Calls `use` with the signing keys in the store, and closes the store afterwards. Processes that serve may use the keys at
 * the same time: each notices a change within `keys.pollSeconds`.
 *
 * @throws ConfigError when the store can't be used as it is; CarnetError `storage_unavailable`
 */
export const withStoredKeys = async <T>(
  { storage, secrets, keys }: Pick<Config, 'storage' | 'secrets' | 'keys'>,
  use: (rotation: Rotation) => Promise<T>,
): Promise<T> => {
  const { stores, close } = await openStores(storage);
  try {
    const { rotation } = openRotation({
      config: keys,
      adapter: guardAdapter(composeStores(stores)),
      vault: createVault(secrets.system),
      now: Date.now,
    });
    return await use(rotation);
  } finally {
    await close();
  }
};
