import { hash } from 'node:crypto';
import type { SigningAlgorithmSpec } from '@aws-sdk/client-kms';
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
import { openSignCall, type SignInput } from './sign-call.ts';
import type { KmsAddress } from './url.ts';

/** The longest message that KMS hashes itself. */
const maxRawBytes = 4_096;

const algorithms: Readonly<Record<SigningAlgorithm, SigningAlgorithmSpec>> = {
  ES256: 'ECDSA_SHA_256',
  RS256: 'RSASSA_PKCS1_V1_5_SHA_256',
  EdDSA: 'ED25519_SHA_512',
};

/** @throws SignerUnfitError for data that Ed25519 cannot sign at KMS: it hashes the data twice, so no digest can replace it */
const inputOf = ({ handle, alg }: RemoteKey, data: Uint8Array): SignInput => {
  const common = { KeyId: handle, SigningAlgorithm: algorithms[alg] };
  if (data.length <= maxRawBytes)
    return { ...common, MessageType: 'RAW', Message: Buffer.from(data).toString('base64') };
  if (alg === 'EdDSA') {
    throw new SignerUnfitError(
      `AWS KMS signs at most ${maxRawBytes} bytes with Ed25519, and this token has ${data.length}. Use an ES256 or RS256 key, or put fewer claims into tokens.`,
    );
  }
  return { ...common, MessageType: 'DIGEST', Message: hash('sha256', data, 'base64') };
};

/** Opens a signer whose keys are the keys of the address. It needs no answer of KMS. */
export const openKmsSigner = async (address: KmsAddress): Promise<RemoteSigner> => {
  const { client, close } = await openClient(address);
  const list = createKeyList(address.keys);
  const call = openSignCall(client);
  return {
    service: 'aws-kms',
    keys: async (options) => list(client(), options),
    async sign(key, data, options) {
      const input = inputOf(key, data);
      const answer = await calling('kms:Sign', key.handle, () => call.sign(input, options));
      const { Signature: text } = (answer ?? {}) as { readonly Signature?: unknown };
      if (typeof text !== 'string') {
        throw new SignerUnavailableError('AWS KMS answered kms:Sign without a signature.');
      }
      const signature = Buffer.from(text, 'base64');
      return { signature: key.alg === 'ES256' ? ecdsaFromDer(signature) : signature };
    },
    async close() {
      close();
      await call.close();
    },
  };
};
