import { type OpenKeyWrapper, SignerUnfitError } from '@carnet/signer-contract';
import { parseAddress } from './address.ts';
import { openKmsKeyWrapper } from './kms/kms-key-wrapper.ts';

/**
 * Opens `gcpkms:projects/P/locations/L/keyRings/R/cryptoKeys/K`, a key with the purpose `ENCRYPT_DECRYPT`.
 *
 * @throws SignerUnfitError if the URL is not valid, or names a service account: IAM does not encrypt
 */
export const openKeyWrapper: OpenKeyWrapper = async ({ url }) => {
  const address = parseAddress(url);
  if (address.service === 'iam') {
    throw new SignerUnfitError(
      'gcpiam: a service account signs and does not encrypt. Set keys.sealedBy to a key of Cloud KMS: gcpkms:projects/...',
    );
  }
  return openKmsKeyWrapper(address.cryptoKey, address.endpoint);
};
