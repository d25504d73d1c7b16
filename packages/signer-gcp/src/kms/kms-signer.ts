import { hash } from 'node:crypto';
import { ecdsaFromDer, type RemoteKey, type RemoteSigner, SignerUnfitError } from '@carnet/signer-contract';
import { checksum } from '../crc32c.ts';
import { createKeyVersions } from './key-versions.ts';
import { assertNamed, assertReceived, openKms, readBytes } from './kms-api.ts';

const permissions =
  'cloudkms.cryptoKeyVersions.list, .viewPublicKey and .useToSign (roles/cloudkms.signerVerifier and roles/cloudkms.viewer)';

/** Ed25519 signs the data itself, the other algorithms its digest. */
const inputOf = ({ alg }: RemoteKey, data: Uint8Array) => {
  if (alg === 'EdDSA') {
    return { field: 'Data', body: { data: Buffer.from(data).toString('base64'), dataCrc32c: checksum(data) } };
  }
  const digest = hash('sha256', data, 'buffer');
  return {
    field: 'Digest',
    body: { digest: { sha256: digest.toString('base64') }, digestCrc32c: checksum(digest) },
  };
};

/** Signs with each enabled version of a key of Cloud KMS. */
export const openKmsSigner = (cryptoKey: string, endpoint?: URL): RemoteSigner => {
  const api = openKms(cryptoKey, endpoint, permissions);
  return {
    service: 'gcp-kms',
    keys: createKeyVersions(api, cryptoKey),
    async sign(key, data, options) {
      // The handle is part of the path: a key of another signer gets no further.
      if (!key.handle.startsWith(`${cryptoKey}/cryptoKeyVersions/`)) {
        throw new SignerUnfitError(`${key.handle} is not a version of ${cryptoKey}.`);
      }
      const { field, body } = inputOf(key, data);
      const answer = await api.post(`/v1/${key.handle}:asymmetricSign`, body, options);
      assertNamed(answer, key.handle);
      assertReceived(answer, [field]);
      const signature = readBytes(answer, 'signature');
      return { signature: key.alg === 'ES256' ? ecdsaFromDer(signature) : signature };
    },
    close: () => api.close(),
  };
};
