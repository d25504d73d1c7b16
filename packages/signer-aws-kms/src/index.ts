import type { OpenKeyWrapper, OpenSigner } from '@carnet/signer-contract';
import { openKmsKeyWrapper } from './key-wrapper.ts';
import { openKmsSigner } from './signer.ts';
import { parseKmsUrl } from './url.ts';

/**
 * Opens a signer whose keys are asymmetric keys of AWS KMS: `awskms:<key id | alias/name | ARN>[,more]?region=...`. The
 * credentials are those of the AWS SDK's default chain.
 *
 * @throws SignerUnfitError if the URL is not valid, or no region is configured
 * @example
 * const carnet = await createProvider(config, { signers: [await openSigner({ url: 'awskms:alias/carnet' })] });
 */
export const openSigner: OpenSigner = async ({ url }) => openKmsSigner(parseKmsUrl(url));

/**
 * Opens a wrapper whose key is a symmetric key of AWS KMS, by a URL as for `openSigner`. The first key of the URL wraps.
 *
 * @throws SignerUnfitError if the URL is not valid, or no region is configured
 */
export const openKeyWrapper: OpenKeyWrapper = async ({ url }) => openKmsKeyWrapper(parseKmsUrl(url));
