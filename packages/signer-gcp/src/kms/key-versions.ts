import { createPublicKey } from 'node:crypto';
import {
  algorithmOf,
  type CallOptions,
  type RemoteKey,
  SignerUnavailableError,
  SignerUnfitError,
  type SigningAlgorithm,
} from '@carnet/signer-contract';
import { checksum } from '../crc32c.ts';
import type { GoogleApi } from '../google-api.ts';
import { assertNamed } from './kms-api.ts';

/** The algorithms of Cloud KMS that JWS has (RFC 7518). RSASSA-PSS, raw PKCS #1, other curves and other hashes are not. */
const algorithms: Readonly<Record<string, SigningAlgorithm>> = {
  EC_SIGN_P256_SHA256: 'ES256',
  EC_SIGN_ED25519: 'EdDSA',
  RSA_SIGN_PKCS1_2048_SHA256: 'RS256',
  RSA_SIGN_PKCS1_3072_SHA256: 'RS256',
  RSA_SIGN_PKCS1_4096_SHA256: 'RS256',
};

const maxPages = 20;

interface Version {
  readonly name: string;
  readonly algorithm: string;
}

const numberOf = ({ name }: Version): number => Number(name.slice(name.lastIndexOf('/') + 1));

const listVersions = async (api: GoogleApi, cryptoKey: string, options: CallOptions): Promise<readonly Version[]> => {
  const versions: Version[] = [];
  let pageToken = '';
  for (let page = 0; page < maxPages; page++) {
    const query = new URLSearchParams({ filter: 'state=ENABLED', pageSize: '100', ...(pageToken && { pageToken }) });
    const answer = await api.get(`/v1/${cryptoKey}/cryptoKeyVersions?${query}`, options);
    for (const { name, algorithm } of (answer.cryptoKeyVersions ?? []) as readonly Version[]) {
      const isOwn = String(name).startsWith(`${cryptoKey}/cryptoKeyVersions/`) && /\/\d+$/.test(name);
      if (!isOwn) throw new SignerUnavailableError('Cloud KMS listed a version of another key.');
      versions.push({ name, algorithm });
    }
    pageToken = String(answer.nextPageToken ?? '');
    // The order of the list is not documented. Versions are numbered in the order of their creation.
    if (pageToken === '') return versions.sort((one, other) => numberOf(one) - numberOf(other));
  }
  throw new SignerUnfitError(`${cryptoKey} has more than ${maxPages * 100} enabled versions. Disable the old ones.`);
};

const readKey = async (api: GoogleApi, { name, algorithm }: Version, options: CallOptions): Promise<RemoteKey> => {
  const answer = await api.get(`/v1/${name}/publicKey`, options);
  assertNamed(answer, name);
  const pem = String(answer.pem);
  if (String(answer.pemCrc32c) !== checksum(Buffer.from(pem)) || answer.algorithm !== algorithm) {
    throw new SignerUnavailableError(`Cloud KMS: the public key of ${name} was changed on its way.`);
  }
  const key = createPublicKey(pem);
  const alg = algorithms[algorithm] as SigningAlgorithm;
  if (algorithmOf(key) !== alg)
    throw new SignerUnavailableError(`Cloud KMS: ${name} has a public key of another type.`);
  return { handle: name, alg, publicKey: key.export({ format: 'jwk' }) };
};

/** Lists the enabled versions of a key. The public key of a version never changes, so each is read once. */
export const createKeyVersions = (api: GoogleApi, cryptoKey: string) => {
  const known = new Map<string, RemoteKey>();
  return async (options: CallOptions): Promise<readonly RemoteKey[]> => {
    const versions = await listVersions(api, cryptoKey, options);
    const fitting = versions.filter(({ algorithm }) => Object.hasOwn(algorithms, algorithm));
    const [unfit] = versions;
    if (fitting.length === 0 && unfit !== undefined) {
      throw new SignerUnfitError(
        `${cryptoKey} signs with ${unfit.algorithm}, which is not for tokens. Create a key with ${Object.keys(algorithms).join(', ')}.`,
      );
    }
    for (const version of fitting) {
      if (!known.has(version.name)) known.set(version.name, await readKey(api, version, options));
    }
    // Copies: a caller may change its list.
    return fitting.map(({ name }) => structuredClone(known.get(name) as RemoteKey));
  };
};
