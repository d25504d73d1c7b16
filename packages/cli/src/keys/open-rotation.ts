import type { Config } from '@carnet/provider/config';
import type { Rotation } from '@carnet/provider/keys';
import { createVault, openRotation } from '@carnet/provider/keys';
import { composeStores, guardAdapter, openStores } from '@carnet/provider/storage';

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
