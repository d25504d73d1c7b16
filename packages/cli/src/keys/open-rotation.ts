import type { Config } from '@carnet/provider/config';
import type { Rotation } from '@carnet/provider/keys';
import { createVault, openRotation } from '@carnet/provider/keys';
import { composeStores, guardAdapter, openStores } from '@carnet/provider/storage';

export const assertInStore = ({ keys }: Pick<Config, 'keys'>): void => {
  if (keys.source === 'store') return;
  throw new Error('The signing keys are not in the store. Change them in their file and restart, or set KEYS_SOURCE.');
};

/** The parts of the configuration that signing keys in the store depend on. */
export const keyParts = ['storage', 'secrets', 'keys'] as const;

export type KeyConfig = Pick<Config, (typeof keyParts)[number]>;

/** Calls `use` with the signing keys in the store. Other processes may use them at the same time. */
export const withRotation = async <T>(config: KeyConfig, use: (rotation: Rotation) => Promise<T>): Promise<T> => {
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
