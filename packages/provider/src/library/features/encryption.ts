import { encryptionAlgorithm } from '../../clients/client-fields.ts';
import type { RegisteredMetadata } from '../../clients/client-schema.ts';
import { fieldError } from '../../errors.ts';
import type { Feature } from './feature.ts';

const content = ['A128GCM', 'A256GCM', 'A128CBC-HS256', 'A256CBC-HS512'] as const;

interface PublicKey {
  readonly kty: string;
  readonly use?: unknown;
  readonly alg?: unknown;
}

const algorithmsOf = ({
  id_token_encrypted_response_alg,
  userinfo_encrypted_response_alg,
  authorization_encrypted_response_alg,
}: RegisteredMetadata): readonly string[] =>
  [id_token_encrypted_response_alg, userinfo_encrypted_response_alg, authorization_encrypted_response_alg].filter(
    (alg) => alg !== undefined,
  );

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
  return algorithmsOf(metadata).find((algorithm) => !keys.some(isFor(algorithm)));
};

/** ID tokens, userinfo and JWT responses that are encrypted to a key of the client (RFC 7516), once signed. */
export const encryption: Feature = {
  name: 'encryption',
  clientFields: {
    id_token_encrypted_response_alg: Boolean,
    userinfo_encrypted_response_alg: Boolean,
    authorization_encrypted_response_alg: Boolean,
  },
  refuse: (metadata) => {
    const algorithm = lacksKey(metadata);
    return algorithm === undefined ? undefined : fieldError('jwks', `holds no key for encryption by ${algorithm}.`);
  },
  create: () => ({
    upstream: { encryption: { enabled: true } },
    configuration: {
      enabledJWA: {
        idTokenEncryptionAlgValues: [...encryptionAlgorithm.options],
        idTokenEncryptionEncValues: [...content],
        userinfoEncryptionAlgValues: [...encryptionAlgorithm.options],
        userinfoEncryptionEncValues: [...content],
        authorizationEncryptionAlgValues: [...encryptionAlgorithm.options],
        authorizationEncryptionEncValues: [...content],
        // There is no key of ours to encrypt requests to.
        requestObjectEncryptionAlgValues: [],
        requestObjectEncryptionEncValues: [],
      },
    },
  }),
};
