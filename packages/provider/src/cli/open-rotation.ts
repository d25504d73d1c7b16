import type { Config } from '../config/schema.ts';
import type { Rotation } from '../keys/rotation.ts';
import { openRotation } from '../keys/signing-key-source.ts';
import { createVault } from '../keys/vault.ts';
import { composeStores } from '../storage/compose.ts';
import { guardAdapter } from '../storage/guard.ts';
import { openStores } from '../storage/open-storage.ts';

export const assertInStore = ({ keys }: Pick<Config, 'keys'>): void => {
  if (keys.source === 'store') return;
  throw new Error('The signing keys are not in the store. Change them in their file and restart, or set KEYS_SOURCE.');
};

/** Does something with the signing keys in the store of a configuration, beside whatever processes use them. */
export const withRotation = async <T>(config: Config, use: (rotation: Rotation) => Promise<T>): Promise<T> => {
  const { stores, close } = await openStores(config.storage);
  try {
    const { rotation } = openRotation({
      config: config.keys,
      adapter: guardAdapter(composeStores(stores)),
      vault: createVault(config.secrets.system),
      now: Date.now,
    });
    return await use(rotation);
  } finally {
    await close();
  }
};
