import type { RegisteredMetadata } from '../../clients/client-schema.ts';
import { fieldError } from '../../errors.ts';
import type { Feature } from './feature.ts';

interface PublicKey {
  readonly kty: string;
  readonly use?: unknown;
  readonly alg?: unknown;
}

const members = [
  'id_token_encrypted_response_alg',
  'userinfo_encrypted_response_alg',
  'authorization_encrypted_response_alg',
] as const;

const isFor =
  (algorithm: string) =>
  ({ kty, use, alg }: PublicKey): boolean =>
    (algorithm.startsWith('RSA') ? kty === 'RSA' : kty === 'EC' || kty === 'OKP') &&
    (use === undefined || use === 'enc') &&
    (alg === undefined || alg === algorithm);

/** Keys that are fetched later are not known yet. */
const lacksKey = (metadata: RegisteredMetadata): string | undefined => {
  if (!('keys' in metadata.jwks)) return undefined;
  const keys = metadata.jwks.keys as readonly PublicKey[];
  const algorithms = members.map((name) => metadata[name]).filter((algorithm) => algorithm !== undefined);
  return algorithms.find((algorithm) => !keys.some(isFor(algorithm)));
};

/** ID tokens, userinfo and JWT responses that are encrypted to a key of the client (RFC 7516), once signed. */
export const encryption: Feature = {
  clientFields: Object.fromEntries(members.map((name) => [name, Boolean])),
  refuse: (metadata) => {
    const algorithm = lacksKey(metadata);
    return algorithm === undefined ? undefined : fieldError('jwks', `holds no key for encryption by ${algorithm}.`);
  },
  create: () => ({ upstream: { encryption: { enabled: true } } }),
};
