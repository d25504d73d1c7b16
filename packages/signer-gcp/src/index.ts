import { type OpenKeyWrapper, type OpenSigner, SignerUnfitError } from '@carnet/signer-contract';
import { parseAddress } from './address.ts';
import { openIamSigner } from './iam-signer.ts';
import { openKmsKeyWrapper } from './kms/kms-key-wrapper.ts';
import { openKmsSigner } from './kms/kms-signer.ts';

/**
 * Opens `gcpkms:projects/P/locations/L/keyRings/R/cryptoKeys/K`, each enabled version of which is a key, or
 * `gcpiam:<email>`, the keys that Google holds for a service account. Credentials are the application default credentials.
 *
 * @throws SignerUnfitError if the URL is not valid
 * @example
 * const signer = await openSigner({ url: 'gcpkms:projects/shop/locations/europe-west3/keyRings/carnet/cryptoKeys/tokens' });
 */
export const openSigner: OpenSigner = async ({ url }) => {
  const address = parseAddress(url);
  return address.service === 'kms'
    ? openKmsSigner(address.cryptoKey, address.endpoint)
    : openIamSigner(address.email, address.endpoint);
};

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
