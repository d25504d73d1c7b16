import type { ConfigInput } from '../config/config-input.ts';
import type { Config } from '../config/schema.ts';
import { signerUrlsOf } from '../keys/config.ts';
import { ownSigners } from '../keys/remote/open-signers.ts';
import type { CreateProviderOptions } from './carnet.ts';

/** A program that passes a store need not configure one. */
const withOwnStorage = (input: ConfigInput): ConfigInput => ({
  ...input,
  storage: { ...input.storage, default: 'adapter:' },
});

/** A program that passes signers need not configure `keys.source`. URLs of further signers are kept. */
const withOwnSigners = (input: ConfigInput): ConfigInput => {
  const { source = 'external', signer } = input.keys ?? {};
  const others = signerUrlsOf({ signer: signer as Config['keys']['signer'] }).filter((url) => url !== ownSigners);
  return { ...input, keys: { ...input.keys, source, signer: [ownSigners, ...others] } };
};

const withOwnWrapper = (input: ConfigInput): ConfigInput => ({
  ...input,
  keys: { ...input.keys, sealedBy: ownSigners },
});

/** The configuration of a program, with the parts that it passes. */
export const withOwnParts = (
  input: ConfigInput | Config,
  { adapter, signers = [], keyWrapper }: Pick<CreateProviderOptions, 'adapter' | 'signers' | 'keyWrapper'>,
): ConfigInput => {
  const stored = adapter ? withOwnStorage(input as ConfigInput) : (input as ConfigInput);
  const sealed = keyWrapper ? withOwnWrapper(stored) : stored;
  return signers.length > 0 ? withOwnSigners(sealed) : sealed;
};
