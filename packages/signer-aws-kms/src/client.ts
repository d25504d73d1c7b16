import { KMSClient } from '@aws-sdk/client-kms';
import { Sha256 } from '@carnet/adapter-contract/kit';
import { SignerUnavailableError, SignerUnfitError } from '@carnet/signer-contract';

import type { KmsAddress } from './url.ts';

/** Above the number of calls that Carnet makes at once: no call waits for another one's connection. */
const maxSockets = 256;

/**
 * A client without repetition: Carnet repeats a call itself, within one deadline.
 *
 * @throws SignerUnfitError if no region is configured
 */
export const openClient = async ({ region, endpoint }: KmsAddress) => {
  const agent = { keepAlive: true, maxSockets };
  const client = new KMSClient({
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint }),
    maxAttempts: 1,
    sha256: Sha256,
    requestHandler: { httpAgent: agent, httpsAgent: agent },
  });
  try {
    await client.config.region();
  } catch {
    client.destroy();
    throw new SignerUnfitError('No AWS region is configured. Add `?region=...` to the awskms URL, or set AWS_REGION.');
  }
  let isClosed = false;
  return {
    /** @throws SignerUnavailableError after `close` */
    client(): KMSClient {
      if (isClosed) throw new SignerUnavailableError('This signer of AWS KMS is closed.');
      return client;
    },
    close(): void {
      isClosed = true;
      client.destroy();
    },
  };
};
