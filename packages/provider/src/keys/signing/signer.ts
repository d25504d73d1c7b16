import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import { algorithmOf, ecdsaFromDer, type SigningAlgorithm } from '@carnet/signer-contract';
import { thumbprint } from '@carnet/signer-contract/jws';

export { algorithmOf, isSigningAlgorithm, type SigningAlgorithm, signingAlgorithms } from '@carnet/signer-contract';

/**
 * The requests that a signature counts with. `browsers`: authorization requests, which need no credentials. They get a part of
 * the signatures that may be under way.
 */
export type SigningShare = 'clients' | 'browsers';

/** A signing key in this process, or in a key management service over the network. */
export interface Signer {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  /** Created once, so that verifications do not convert the key. */
  readonly publicKey: KeyObject;
  /** The JWS signature of `data`: for ES256 the 64 bytes of RFC 7518 section 3.4, not DER. */
  sign(data: Uint8Array, share?: SigningShare): Uint8Array | Promise<Uint8Array>;
  /**
   * Only for a key in a service, because the service may sign with another key: signs the input that `inputOf` returns for
   * the `kid` of the key that signs. `isLast`: another change of the key is an error.
   */
  signInput?<Input extends string | Uint8Array>(
    inputOf: (kid: string) => Input,
    isLast?: boolean,
  ): Promise<SignedInput<Input>>;
}

/** The `header.payload` of a JWS with its signature. */
export interface SignedInput<Input> {
  readonly input: Input;
  readonly signature: Uint8Array;
}

/** The names of the algorithms in node:crypto. */
const digestOf: Record<SigningAlgorithm, string | null> = { RS256: 'sha256', ES256: 'sha256', EdDSA: null };

const minimumRsaBits = 2_048;

/** Throws an Error whose message completes "the key ...". */
export const assertStrong = (key: KeyObject): void => {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? minimumRsaBits;
  if (bits < minimumRsaBits) throw new Error(`is an RSA key of ${bits} bits; use at least ${minimumRsaBits}`);
};

/**
 * A signer whose key is in this process. It signs synchronously: the thread pool would cost more than the signature.
 *
 * @throws TypeError unless the key type is RSA, P-256 or Ed25519
 */
export const createLocalSigner = (options: { readonly privateKey: KeyObject; readonly kid?: string }): Signer => {
  const { privateKey } = options;
  const alg = algorithmOf(privateKey);
  if (alg === undefined) throw new TypeError('a signing key must be RSA, P-256 or Ed25519');
  const publicKey = createPublicKey(privateKey);
  const kid = options.kid ?? thumbprint(publicKey.export({ format: 'jwk' }));
  const digest = digestOf[alg];
  // Passes only the key and uses DER: with `{ key, dsaEncoding }` node:crypto takes twice as long.
  const signed = (data: Uint8Array): Buffer => sign(digest, data, privateKey);
  return { kid, alg, publicKey, sign: alg === 'ES256' ? (data) => ecdsaFromDer(signed(data)) : signed };
};
