import { SignerUnfitError } from '@carnet/signer-contract';
import { parseEndpoint } from '@carnet/signer-contract/rest';

/** Where keys are, from the URL in the configuration. */
export type Address =
  | { readonly service: 'kms'; readonly cryptoKey: string; readonly endpoint?: URL }
  | { readonly service: 'iam'; readonly email: string; readonly endpoint?: URL };

const cryptoKeyName = /^projects\/[\w.:-]+\/locations\/[\w-]+\/keyRings\/[\w-]{1,63}\/cryptoKeys\/[\w-]{1,63}$/;

/** The names below are parts of the path of a request: no other character gets there. */
const accountEmail = /^[\w.-]+@[\w.-]+$/;

const endpointOf = (query: string | undefined, scheme: string): { endpoint?: URL } => {
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (name !== 'endpoint') throw new SignerUnfitError(`${scheme}: the URL has an unknown parameter, ${name}.`);
  }
  const endpoint = parameters.get('endpoint');
  return endpoint === null ? {} : { endpoint: parseEndpoint(`${scheme}: endpoint`, endpoint) };
};

/**
 * Parses `gcpkms:projects/.../cryptoKeys/...[?endpoint=...]` or `gcpiam:<email>[?endpoint=...]`.
 *
 * @throws SignerUnfitError
 */
export const parseAddress = (url: string): Address => {
  const [, scheme = '', name = '', query] = /^([^:]*):([^?]*)(?:\?(.*))?$/s.exec(url) ?? [];
  if (scheme === 'gcpkms') {
    if (!cryptoKeyName.test(name)) {
      throw new SignerUnfitError(
        'gcpkms: the URL names no key. Use gcpkms:projects/P/locations/L/keyRings/R/cryptoKeys/K, without a version.',
      );
    }
    return { service: 'kms', cryptoKey: name, ...endpointOf(query, scheme) };
  }
  if (scheme === 'gcpiam') {
    if (!accountEmail.test(name)) {
      throw new SignerUnfitError(
        'gcpiam: the URL names no service account. Use gcpiam:NAME@PROJECT.iam.gserviceaccount.com.',
      );
    }
    return { service: 'iam', email: name, ...endpointOf(query, scheme) };
  }
  throw new SignerUnfitError('@carnet/signer-gcp opens URLs that begin with gcpkms: or gcpiam:.');
};
