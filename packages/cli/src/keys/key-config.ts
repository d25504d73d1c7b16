import type { Config } from '@carnet/provider/config';
import { type Surface, text, type Values } from '../command.ts';
import { loadPartsFromCommandLine } from '../config/command-line.ts';

/** The parts of the configuration that signing keys depend on. */
const keyParts = ['storage', 'secrets', 'keys'] as const;

export type KeyConfig = Pick<Config, (typeof keyParts)[number]> & { readonly issuerName: string | undefined };

/** The keys of the issuer that the command line names. */
export const loadKeyConfig = (values: Values, surface: Pick<Surface, 'env'>): KeyConfig => ({
  ...loadPartsFromCommandLine(values, surface, keyParts),
  issuerName: text(values, 'issuer'),
});

/** Whether the store knows the signing keys: those that it has, and the public part of those that services hold. */
export const areManaged = ({ keys }: Pick<Config, 'keys'>): boolean =>
  keys.source === 'store' || keys.source === 'external';

/** @throws Error when the signing keys are in a file, which the command does not change */
export const assertManaged = (config: Pick<Config, 'keys'>): void => {
  if (!areManaged(config)) assertInStore(config);
};

/** @throws Error when the signing keys are in a file or at a service */
export const assertInStore = ({ keys }: Pick<Config, 'keys'>): void => {
  if (keys.source === 'store') return;
  if (keys.source === 'external') {
    throw new Error('A service holds the signing keys. Run this command with KEYS_SOURCE=store.');
  }
  throw new Error(
    'The signing keys are not in the store. Change them in their file and restart, or set KEYS_SOURCE=store.',
  );
};

/** A time in the output, in whole seconds (RFC 3339). */
export const timeOf = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
