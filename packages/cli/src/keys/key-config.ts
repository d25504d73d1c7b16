import type { Config } from '@carnet/provider/config';

/** The parts of the configuration that signing keys depend on. */
export const keyParts = ['storage', 'secrets', 'keys'] as const;

export type KeyConfig = Pick<Config, (typeof keyParts)[number]>;

/** @throws Error when the signing keys are in a file, which the command does not change */
export const assertInStore = ({ keys }: Pick<Config, 'keys'>): void => {
  if (keys.source === 'store') return;
  throw new Error(
    'The signing keys are not in the store. Change them in their file and restart, or set KEYS_SOURCE=store.',
  );
};
