import { SignerUnfitError } from '@carnet/signer-contract';
import { parseEndpoint } from '@carnet/signer-contract/rest';

/** A key of a transit engine, from the URL in the configuration and the variables of Vault. */
export interface Address {
  readonly origin: URL;
  readonly namespace?: string;
  readonly mount: string;
  readonly key: string;
}

/** Parts of the path of a request: no other character gets there. */
const path = /^[\w.-]+(?:\/[\w.-]+)*$/;
const isPath = (text: string): boolean => path.test(text) && !text.split('/').some((part) => /^\.+$/.test(part));

const parseName = (name: string): { mount: string; key: string } => {
  const at = name.lastIndexOf('/');
  if (at < 1 || !isPath(name)) {
    throw new SignerUnfitError('vault: the URL names no key. Use vault:<mount>/<key>, such as vault:transit/carnet.');
  }
  return { mount: name.slice(0, at), key: name.slice(at + 1) };
};

/**
 * Parses `vault:<mount>/<key>[?address=https://...&namespace=...]`. Defaults: `VAULT_ADDR` and `VAULT_NAMESPACE`.
 *
 * @throws SignerUnfitError
 */
export const parseAddress = (url: string, env: NodeJS.ProcessEnv): Address => {
  const [, name, query] = /^vault:([^?]*)(?:\?(.*))?$/s.exec(url) ?? [];
  if (name === undefined) throw new SignerUnfitError('@carnet/signer-vault opens URLs that begin with vault:.');
  const parameters = new URLSearchParams(query);
  for (const parameter of parameters.keys()) {
    if (parameter !== 'address' && parameter !== 'namespace') {
      throw new SignerUnfitError(`vault: the URL has an unknown parameter, ${parameter}.`);
    }
  }
  const address = parameters.get('address') ?? env.VAULT_ADDR;
  if (!address)
    throw new SignerUnfitError('vault: no address. Set VAULT_ADDR, or add ?address=https://... to the URL.');
  const namespace = (parameters.get('namespace') ?? env.VAULT_NAMESPACE ?? '').replace(/^\/+|\/+$/g, '');
  if (namespace !== '' && !isPath(namespace)) throw new SignerUnfitError('vault: the namespace is not valid.');
  return {
    ...parseName(name),
    origin: parseEndpoint('vault: address', address),
    ...(namespace !== '' && { namespace }),
  };
};
