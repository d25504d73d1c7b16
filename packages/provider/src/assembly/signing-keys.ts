import type { Config } from '../config/schema.ts';
import { signerUrlsOf } from '../keys/config.ts';
import { openSigners } from '../keys/remote/open-signers.ts';
import {
  type KeyEvent,
  openSigningKeySource,
  type SigningKeySource,
  type SourceDependencies,
} from '../keys/sources/signing-key-source.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { CreateProviderOptions } from './carnet.ts';

export interface SigningKeyService extends Omit<SigningKeySource, 'stop'> {
  /** Stops reading keys, and closes the signers that were opened here. */
  close(): Promise<void>;
}

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
}

/** Opens the configured signing keys, and the services that hold them. */
export const openSigningKeys = async (dependencies: SigningKeysDependencies): Promise<SigningKeyService> => {
  const { config, options, logger, telemetry, ...deps } = dependencies;
  const { signers, close } = await openSigners(signerUrlsOf(config.keys), options.signers);
  try {
    const source = await openSigningKeySource({
      ...deps,
      config: config.keys,
      signers,
      observe: telemetry.metrics.signer,
      report: (event) => logEvent(logger, event),
    });
    for (const warning of source.warnings) logger.warn(warning);
    return {
      ...source,
      close: async () => {
        source.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
};
