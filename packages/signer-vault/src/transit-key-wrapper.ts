import {
  type KeyWrapper,
  type OpenKeyWrapper,
  SignerUnavailableError,
  SignerUnfitError,
} from '@carnet/signer-contract';
import { type Address, parseAddress } from './address.ts';
import { openTransitApi } from './transit-api.ts';

const policyOf = ({ mount, key }: Address): string =>
  [
    `path "${mount}/encrypt/${key}" { capabilities = ["update"] }`,
    `path "${mount}/decrypt/${key}" { capabilities = ["update"] }`,
  ].join(' ');

/** A ciphertext that another program made with the same key is not accepted. */
const associated = { associated_data: Buffer.from('carnet: the key that encrypts signing keys').toString('base64') };

const versionBytes = 4;

/** `vault:v3:base64` as bytes, so that each of them matters: base64 has spare bits, and text that means the same. */
const encode = (ciphertext: unknown): Buffer => {
  const [, version, text] = /^vault:v(\d{1,9}):(.+)$/.exec(String(ciphertext)) ?? [];
  if (text === undefined) throw new SignerUnavailableError('Vault answered without a ciphertext.');
  const head = Buffer.alloc(versionBytes);
  head.writeUInt32BE(Number(version));
  return Buffer.concat([head, Buffer.from(text, 'base64')]);
};

const decode = (wrapped: Uint8Array): string => {
  const bytes = Buffer.from(wrapped);
  if (bytes.length <= versionBytes) throw new SignerUnfitError('The wrapped key is too short.');
  return `vault:v${bytes.readUInt32BE()}:${bytes.toString('base64', versionBytes)}`;
};

/** Wraps with a transit key of a type that encrypts and authenticates. */
const openTransitKeyWrapper = (address: Address, env: NodeJS.ProcessEnv): KeyWrapper => {
  const { key } = address;
  const api = openTransitApi({ address, env, policy: policyOf(address) });
  return {
    async wrap(secret, options) {
      const plaintext = Buffer.from(secret).toString('base64');
      const { ciphertext } = await api.post(`encrypt/${key}`, { plaintext, ...associated }, options);
      return encode(ciphertext);
    },
    async unwrap(wrapped, options) {
      const body = { ciphertext: decode(wrapped), ...associated };
      const { plaintext } = await api.post(`decrypt/${key}`, body, options);
      if (typeof plaintext !== 'string') throw new SignerUnavailableError('Vault answered without a plaintext.');
      return Buffer.from(plaintext, 'base64');
    },
    close: () => api.close(),
  };
};

/**
 * Opens `vault:<mount>/<key>[?address=https://...&namespace=...]`, a transit key of the type `aes256-gcm96` or
 * `chacha20-poly1305`. The token comes from `VAULT_TOKEN_FILE` or `VAULT_TOKEN`.
 *
 * @throws SignerUnfitError if the URL is not valid, or the address or the token is missing
 */
export const openKeyWrapper: OpenKeyWrapper = async ({ url }) =>
  openTransitKeyWrapper(parseAddress(url, process.env), process.env);
