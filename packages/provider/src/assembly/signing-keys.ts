import type { StorageAdapter } from '@carnet/adapter-contract';
import type { KeyWrapper } from '@carnet/signer-contract';
import type { Config } from '../config/schema.ts';
import { signerUrlsOf } from '../keys/config.ts';
import type { ObserveCall } from '../keys/remote/calls.ts';
import { openDataKey } from '../keys/remote/data-key.ts';
import { openSigners, openWrapper, ownSigners } from '../keys/remote/open-signers.ts';
import { createVault, type Vault } from '../keys/sealing/vault.ts';
import {
  type KeyEvent,
  openSigningKeySource,
  type SigningKeySource,
  type SourceDependencies,
} from '../keys/sources/signing-key-source.ts';
import { schemeOf } from '../storage/schemes.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { CreateProviderOptions } from './carnet.ts';

const logEvent = (logger: Logger, event: KeyEvent): void => {
  if ('storeError' in event)
    logger.warn({ err: event.storeError }, 'the signing keys could not be read from the store');
  else if ('signerError' in event) logger.warn({ err: event.signerError }, 'the signing service does not answer');
  else if ('invalidSignature' in event)
    logger.error(event.invalidSignature, 'a signature of the signing service does not verify, and was not sent');
  else logger.info(event, 'signing keys');
};

interface SigningKeysDependencies extends Pick<SourceDependencies, 'adapter' | 'vault' | 'now'> {
  readonly config: Pick<Config, 'keys'>;
  readonly options: Pick<CreateProviderOptions, 'signers'>;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics'>;
  /** Has `end` called at the end, and if the start fails: the last one first. */
  readonly onClose: (end: () => unknown) => void;
}

/** Opens the configured signing keys, and the services that hold them. */
export const openSigningKeys = async (dependencies: SigningKeysDependencies): Promise<SigningKeySource> => {
  const { config, options, logger, telemetry, onClose, ...deps } = dependencies;
  const { signers, close } = await openSigners(signerUrlsOf(config.keys), options.signers);
  onClose(close);
  const source = await openSigningKeySource({
    ...deps,
    config: config.keys,
    signers,
    observe: telemetry.metrics.signer,
    report: (event) => logEvent(logger, event),
  });
  onClose(source.stop);
  for (const warning of source.warnings) logger.warn(warning);
  return source;
};

interface KeyVaultDependencies {
  readonly config: Pick<Config, 'keys' | 'secrets'>;
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
  /** Used for `signer:`. The caller closes it. */
  readonly keyWrapper?: KeyWrapper;
  readonly observe?: ObserveCall;
}

/**
 * The vault of the keys in the store.
 *
 * @throws ConfigError, CarnetError `signer_unavailable` if the service of `keys.sealedBy` does not decrypt its key
 */
export const openKeyVault = async (deps: KeyVaultDependencies): Promise<Vault> => {
  const { config, adapter, keyWrapper, observe = () => undefined } = deps;
  const { sealedBy } = config.keys;
  const { system } = config.secrets;
  if (sealedBy === undefined) return createVault(system);
  const own = sealedBy === ownSigners ? keyWrapper : undefined;
  const wrapper = own ?? (await openWrapper(sealedBy));
  try {
    const sealingKey = await openDataKey({ adapter, wrapper, service: schemeOf(sealedBy), observe });
    // The first encrypts. The others decrypt keys that were stored before.
    return createVault([sealingKey, ...system]);
  } finally {
    if (own === undefined) await wrapper.close();
  }
};
