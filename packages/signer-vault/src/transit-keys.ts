import { createPublicKey, type JsonWebKeyInput } from 'node:crypto';
import {
  algorithmOf,
  type RemoteKey,
  SignerUnavailableError,
  SignerUnfitError,
  type SigningAlgorithm,
} from '@carnet/signer-contract';
import type { Address } from './address.ts';
import type { Data } from './transit-api.ts';

/** The types of transit keys that JWS has (RFC 7518, RFC 8037). */
const algorithms: Readonly<Record<string, SigningAlgorithm>> = {
  'ecdsa-p256': 'ES256',
  'rsa-2048': 'RS256',
  'rsa-3072': 'RS256',
  'rsa-4096': 'RS256',
  ed25519: 'EdDSA',
};

/** The name of a version. Vault numbers them and never uses a number again while the key exists. */
export const handleOf = ({ namespace, mount, key }: Address, version: number): string =>
  `${namespace === undefined ? '' : `${namespace}/`}${mount}/keys/${key}/${version}`;

/** PEM, but for Ed25519 the 32 bytes in base64. */
const parsePublicKey = (alg: SigningAlgorithm, text: string): JsonWebKeyInput['key'] => {
  const key =
    alg === 'EdDSA'
      ? createPublicKey({
          key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(text, 'base64').toString('base64url') },
          format: 'jwk',
        })
      : createPublicKey(text);
  if (algorithmOf(key) !== alg) throw new SignerUnavailableError('Vault answered with a public key of another type.');
  return key.export({ format: 'jwk' });
};

/** Versions below these cannot sign, or their signatures are no longer accepted by Vault itself. */
const firstVersion = (data: Data): number =>
  Math.max(
    1,
    ...['min_available_version', 'min_encryption_version', 'min_decryption_version'].map((name) =>
      Number(data[name] ?? 0),
    ),
  );

/**
 * The versions of a transit key that can sign, from the oldest to the newest, from the answer of `GET <mount>/keys/<key>`.
 *
 * @throws SignerUnfitError if the key is of another type
 */
export const readTransitKeys = (address: Address, data: Data): readonly RemoteKey[] => {
  const { mount, key } = address;
  const alg = Object.hasOwn(algorithms, String(data.type)) ? algorithms[String(data.type)] : undefined;
  if (alg === undefined || data.derived === true) {
    throw new SignerUnfitError(
      `The transit key ${mount}/${key} has the type ${String(data.type)}${data.derived === true ? ', derived' : ''}. Create one with: vault write -f ${mount}/keys/${key} type=ecdsa-p256`,
    );
  }
  const first = firstVersion(data);
  return Object.entries((data.keys ?? {}) as Readonly<Record<string, { readonly public_key?: unknown }>>)
    .map(([version, { public_key }]) => ({ version: Number(version), text: public_key }))
    .filter(({ version, text }) => version >= first && typeof text === 'string' && text !== '')
    .sort((one, other) => one.version - other.version)
    .map(({ version, text }) => ({
      handle: handleOf(address, version),
      alg,
      publicKey: parsePublicKey(alg, text as string),
    }));
};
