import type { KeysConfig } from './config.ts';
import type { SigningKeySource, SourceDependencies } from './key-source.ts';
import { loadKeys } from './load-keys.ts';
import { createSigningKeys } from './signing-keys.ts';
import { openStoredSource } from './stored-source.ts';

const openFixedSource = (config: KeysConfig): SigningKeySource => {
  const { signers, warnings } = loadKeys(config);
  const keys = createSigningKeys(signers);
  return {
    current: () => keys,
    onChange: () => undefined,
    warnings,
    problem: async () => undefined,
    stop: () => undefined,
  };
};

/**
 * Opens the configured source of signing keys. Keys of a file do not change until the next start. Keys in the store
 * are generated, announced, activated and retired on a schedule. Keys of services are announced when they appear there.
 *
 * @throws ConfigError if a key is not valid or cannot be decrypted; CarnetError `storage_unavailable`, `signer_unavailable`
 */
export const openSigningKeySource = async (deps: SourceDependencies): Promise<SigningKeySource> =>
  ['store', 'external'].includes(deps.config.source ?? '') ? openStoredSource(deps) : openFixedSource(deps.config);
