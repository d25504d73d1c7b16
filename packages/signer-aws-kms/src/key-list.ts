import { createPublicKey, type KeyObject } from 'node:crypto';
import { DescribeKeyCommand, GetPublicKeyCommand, type KeyMetadata, type KMSClient } from '@aws-sdk/client-kms';
import {
  algorithmOf,
  type CallOptions,
  type RemoteKey,
  SignerUnfitError,
  type SigningAlgorithm,
} from '@carnet/signer-contract';
import { calling } from './refusal.ts';

const keySpecs = 'ECC_NIST_P256 (ES256), RSA_2048, RSA_3072, RSA_4096 (RS256) or ECC_NIST_EDWARDS25519 (EdDSA)';

interface PublicKey {
  readonly alg: SigningAlgorithm;
  readonly key: KeyObject;
}

interface DescribedKey extends KeyMetadata {
  readonly Arn: string;
}

const describeKey = async (client: KMSClient, id: string, { signal }: CallOptions): Promise<DescribedKey> => {
  const { KeyMetadata: key } = await calling('kms:DescribeKey', id, () =>
    client.send(new DescribeKeyCommand({ KeyId: id }), { abortSignal: signal }),
  );
  if (key?.Arn === undefined) throw new SignerUnfitError(`AWS KMS described ${id} without an ARN.`);
  return { ...key, Arn: key.Arn };
};

/** @throws SignerUnfitError if Carnet does not sign with keys of this type */
const readPublicKey = async (
  client: KMSClient,
  described: DescribedKey,
  { signal }: CallOptions,
): Promise<PublicKey> => {
  const { Arn: handle, KeyUsage, KeySpec } = described;
  const unfit = () =>
    new SignerUnfitError(
      `The AWS KMS key ${handle} has the usage ${KeyUsage} and the spec ${KeySpec}. Create a key with the usage SIGN_VERIFY and the spec ${keySpecs}, or remove this one from the URL.`,
    );
  if (KeyUsage !== 'SIGN_VERIFY') throw unfit();
  const { PublicKey } = await calling('kms:GetPublicKey', handle, () =>
    client.send(new GetPublicKeyCommand({ KeyId: handle }), { abortSignal: signal }),
  );
  if (PublicKey === undefined) throw unfit(); // HMAC keys have none
  const key = createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' });
  const alg = algorithmOf(key);
  if (alg === undefined) throw unfit();
  return { alg, key };
};

const createdAt = ({ CreationDate }: KeyMetadata): number => CreationDate?.getTime() ?? 0;

/**
 * Lists the keys with these ids that are enabled, from the oldest to the newest. The handle of a key is its ARN: an alias
 * that was moved to another key names another key. Public keys are read once: that of an ARN never changes.
 */
export const createKeyList = (ids: readonly string[]) => {
  const known = new Map<string, PublicKey>();

  const toRemoteKey = async (client: KMSClient, described: DescribedKey, options: CallOptions): Promise<RemoteKey> => {
    const handle = described.Arn;
    const { alg, key } = known.get(handle) ?? (await readPublicKey(client, described, options));
    known.set(handle, { alg, key });
    return { handle, alg, publicKey: key.export({ format: 'jwk' }) };
  };

  return async (client: KMSClient, options: CallOptions): Promise<readonly RemoteKey[]> => {
    const described = await Promise.all(ids.map((id) => describeKey(client, id, options)));
    const keys = new Map(described.filter(({ KeyState }) => KeyState === 'Enabled').map((key) => [key.Arn, key]));
    const sorted = [...keys.values()].sort((one, other) => createdAt(one) - createdAt(other));
    return Promise.all(sorted.map((key) => toRemoteKey(client, key, options)));
  };
};
