import type { ConfigInput } from '../config/config-input.ts';
import type { Config } from '../config/schema.ts';
import { signerUrlsOf } from '../keys/config.ts';
import { ownSigners } from '../keys/remote/open-signers.ts';
import type { CreateProviderOptions } from './carnet.ts';

/** A program that brings its own store need not name one. */
const withOwnStorage = (input: ConfigInput): ConfigInput => ({
  ...input,
  storage: { ...input.storage, default: 'adapter:' },
});

/** Nor need one that brings its own signers. */
const withOwnSigners = (input: ConfigInput): ConfigInput => {
  const { source = 'external', signer } = input.keys ?? {};
  const others = signerUrlsOf({ signer: signer as Config['keys']['signer'] }).filter((url) => url !== ownSigners);
  return { ...input, keys: { ...input.keys, source, signer: [ownSigners, ...others] } };
};

/** The configuration of a program, with the store and the signers that it passes. */
export const withOwnParts = (
  input: ConfigInput | Config,
  { adapter, signers = [] }: Pick<CreateProviderOptions, 'adapter' | 'signers'>,
): ConfigInput => {
  const stored = adapter ? withOwnStorage(input as ConfigInput) : (input as ConfigInput);
  return signers.length > 0 ? withOwnSigners(stored) : stored;
};
