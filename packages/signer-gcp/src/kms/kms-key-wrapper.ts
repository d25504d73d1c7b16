import type { KeyWrapper } from '@carnet/signer-contract';
import { checksum } from '../crc32c.ts';
import { assertReceived, openKms, readBytes } from './kms-api.ts';

const permissions =
  'cloudkms.cryptoKeyVersions.useToEncrypt and .useToDecrypt (roles/cloudkms.cryptoKeyEncrypterDecrypter)';

/** A ciphertext that another program made with the same key is not accepted. */
const purpose = Buffer.from('carnet: the key that encrypts signing keys');
const aad = {
  additionalAuthenticatedData: purpose.toString('base64'),
  additionalAuthenticatedDataCrc32c: checksum(purpose),
};

/** Wraps with a symmetric key of Cloud KMS. Its primary version encrypts, and each enabled version decrypts. */
export const openKmsKeyWrapper = (cryptoKey: string, endpoint?: URL): KeyWrapper => {
  const api = openKms(cryptoKey, endpoint, permissions);
  return {
    async wrap(secret, options) {
      const plaintext = Buffer.from(secret).toString('base64');
      const body = { plaintext, plaintextCrc32c: checksum(secret), ...aad };
      const answer = await api.post(`/v1/${cryptoKey}:encrypt`, body, options);
      assertReceived(answer, ['Plaintext', 'AdditionalAuthenticatedData']);
      return readBytes(answer, 'ciphertext');
    },
    async unwrap(wrapped, options) {
      const ciphertext = Buffer.from(wrapped).toString('base64');
      const body = { ciphertext, ciphertextCrc32c: checksum(wrapped), ...aad };
      return readBytes(await api.post(`/v1/${cryptoKey}:decrypt`, body, options), 'plaintext');
    },
    close: () => api.close(),
  };
};
