import { hash } from 'node:crypto';
import {
  type OpenSigner,
  type RemoteKey,
  type RemoteSigner,
  SignerUnavailableError,
  SignerUnfitError,
} from '@carnet/signer-contract';
import { type Address, parseAddress } from './address.ts';
import { openTransitApi } from './transit-api.ts';
import { handleOf, readTransitKeys } from './transit-keys.ts';

const policyOf = ({ mount, key }: Address): string =>
  [
    `path "${mount}/keys/${key}" { capabilities = ["read"] }`,
    `path "${mount}/sign/${key}" { capabilities = ["update"] }`,
    `path "${mount}/sign/${key}/*" { capabilities = ["update"] }`,
  ].join(' ');

/** The number of the version, which is the last part of a handle. */
const versionOf = (address: Address, { handle }: RemoteKey): number => {
  const version = Number(handle.slice(handle.lastIndexOf('/') + 1));
  if (handle !== handleOf(address, version)) {
    throw new SignerUnfitError(`${handle} is not a version of the transit key ${address.mount}/${address.key}.`);
  }
  return version;
};

/**
 * Ed25519 signs the data itself. For the others Vault gets the digest only: it never sees the claims of a token, and a
 * request has a few hundred bytes, however large the token is.
 */
const requestOf = ({ alg }: RemoteKey, data: Uint8Array) =>
  alg === 'EdDSA'
    ? { path: '', body: { input: Buffer.from(data).toString('base64') } }
    : {
        path: '/sha2-256',
        body: {
          input: hash('sha256', data, 'base64'),
          prehashed: true,
          // Without it Vault signs with RSASSA-PSS.
          ...(alg === 'RS256' && { signature_algorithm: 'pkcs1v15' }),
        },
      };

/** Signs with each version of a transit key. */
const openTransitSigner = (address: Address, env: NodeJS.ProcessEnv): RemoteSigner => {
  const { key: name } = address;
  const api = openTransitApi({ address, env, policy: policyOf(address) });
  return {
    service: 'vault-transit',
    keys: async (options) => readTransitKeys(address, await api.get(`keys/${name}`, options)),
    async sign(key, data, options) {
      const version = versionOf(address, key);
      const { path, body } = requestOf(key, data);
      // Without a version Vault signs with the newest, which the header of the token does not name.
      const pinned = { ...body, key_version: version, marshaling_algorithm: 'jws' };
      const { signature } = await api.post(`sign/${name}${path}`, pinned, options);
      const prefix = `vault:v${version}:`;
      if (typeof signature !== 'string' || !signature.startsWith(prefix)) {
        throw new SignerUnavailableError(`Vault answered without a signature of version ${version}.`);
      }
      return { signature: Buffer.from(signature.slice(prefix.length), 'base64url') };
    },
    close: () => api.close(),
  };
};

/**
 * Opens `vault:<mount>/<key>[?address=https://...&namespace=...]`: each version of the transit key is a key. The token comes
 * from `VAULT_TOKEN_FILE` or `VAULT_TOKEN`.
 *
 * @throws SignerUnfitError if the URL is not valid, or the address or the token is missing
 * @example
 * const signer = await openSigner({ url: 'vault:transit/carnet?address=https://vault.example:8200' });
 */
export const openSigner: OpenSigner = async ({ url }) => openTransitSigner(parseAddress(url, process.env), process.env);
