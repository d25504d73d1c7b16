import { createHash } from 'node:crypto';
import { SignCommand, type SignCommandInput, type SigningAlgorithmSpec } from '@aws-sdk/client-kms';
import {
  ecdsaFromDer,
  type RemoteKey,
  type RemoteSigner,
  SignerUnavailableError,
  SignerUnfitError,
  type SigningAlgorithm,
} from '@carnet/signer-contract';
import { openClient } from './client.ts';
import { createKeyList } from './key-list.ts';
import { calling } from './refusal.ts';
import type { KmsAddress } from './url.ts';

/** The longest message that KMS hashes itself. */
const maxRawBytes = 4_096;

const algorithms: Readonly<Record<SigningAlgorithm, SigningAlgorithmSpec>> = {
  ES256: 'ECDSA_SHA_256',
  RS256: 'RSASSA_PKCS1_V1_5_SHA_256',
  EdDSA: 'ED25519_SHA_512',
};

/** @throws SignerUnfitError for data that Ed25519 cannot sign at KMS: it hashes the data twice, so no digest can replace it */
const commandOf = ({ handle, alg }: RemoteKey, data: Uint8Array): SignCommandInput => {
  const common = { KeyId: handle, SigningAlgorithm: algorithms[alg] };
  if (data.length <= maxRawBytes) return { ...common, MessageType: 'RAW', Message: data };
  if (alg === 'EdDSA') {
    throw new SignerUnfitError(
      `AWS KMS signs at most ${maxRawBytes} bytes with Ed25519, and this token has ${data.length}. Use an ES256 or RS256 key, or put fewer claims into tokens.`,
    );
  }
  return { ...common, MessageType: 'DIGEST', Message: createHash('sha256').update(data).digest() };
};

/** Opens a signer whose keys are the keys of the address. It needs no answer of KMS. */
export const openKmsSigner = async (address: KmsAddress): Promise<RemoteSigner> => {
  const { client, close } = await openClient(address);
  const list = createKeyList(address.keys);
  return {
    service: 'aws-kms',
    keys: async (options) => list(client(), options),
    async sign(key, data, { signal }) {
      const command = new SignCommand(commandOf(key, data));
      const { Signature } = await calling('kms:Sign', key.handle, () =>
        client().send(command, { abortSignal: signal }),
      );
      if (Signature === undefined) throw new SignerUnavailableError('AWS KMS answered kms:Sign without a signature.');
      return { signature: key.alg === 'ES256' ? ecdsaFromDer(Signature) : Signature };
    },
    close: async () => close(),
  };
};
