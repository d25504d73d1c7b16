import { DecryptCommand, EncryptCommand } from '@aws-sdk/client-kms';
import { type CallOptions, type KeyWrapper, SignerUnavailableError, SignerUnfitError } from '@carnet/signer-contract';
import { openClient } from './client.ts';
import { calling } from './refusal.ts';
import type { KmsAddress } from './url.ts';

/** Authenticated, not encrypted: KMS decrypts only with the same one, and writes it to CloudTrail. Never change it. */
const EncryptionContext = { purpose: 'carnet-signing-keys' };

/** Wraps by the first key of the address. Unwraps what any of its keys has wrapped. It needs no answer of KMS to open. */
export const openKmsKeyWrapper = async (address: KmsAddress): Promise<KeyWrapper> => {
  const { client, close } = await openClient(address);
  const [first = ''] = address.keys;

  const decrypt = async (KeyId: string, CiphertextBlob: Uint8Array, { signal }: CallOptions) => {
    // The key is named: otherwise KMS takes the key that the ciphertext names, which an attacker who writes to the store
    // could choose.
    const command = new DecryptCommand({ KeyId, CiphertextBlob, EncryptionContext });
    const { Plaintext } = await calling('kms:Decrypt', KeyId, () => client().send(command, { abortSignal: signal }));
    if (Plaintext === undefined) throw new SignerUnavailableError('AWS KMS answered kms:Decrypt without a plaintext.');
    return Plaintext;
  };

  return {
    async wrap(secret, { signal }) {
      const command = new EncryptCommand({ KeyId: first, Plaintext: secret, EncryptionContext });
      const { CiphertextBlob } = await calling('kms:Encrypt', first, () =>
        client().send(command, { abortSignal: signal }),
      );
      if (CiphertextBlob === undefined) {
        throw new SignerUnavailableError('AWS KMS answered kms:Encrypt without a ciphertext.');
      }
      return CiphertextBlob;
    },
    async unwrap(wrapped, options) {
      const refusals: unknown[] = [];
      for (const key of address.keys) {
        try {
          return await decrypt(key, wrapped, options);
        } catch (error) {
          if (!(error instanceof SignerUnfitError)) throw error;
          refusals.push(error);
        }
      }
      throw refusals[0];
    },
    close: async () => close(),
  };
};
