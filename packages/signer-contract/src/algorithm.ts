import type { KeyObject } from 'node:crypto';

/** The algorithms Carnet signs with (RFC 7518 section 3.1, RFC 8037). */
export const signingAlgorithms = ['RS256', 'ES256', 'EdDSA'] as const;

export type SigningAlgorithm = (typeof signingAlgorithms)[number];

export const isSigningAlgorithm = (alg: string): alg is SigningAlgorithm =>
  (signingAlgorithms as readonly string[]).includes(alg);

/** The algorithm of a key, private or public. Undefined if Carnet does not sign with it. */
export const algorithmOf = (key: KeyObject): SigningAlgorithm | undefined => {
  if (key.asymmetricKeyType === 'rsa') return 'RS256';
  if (key.asymmetricKeyType === 'ed25519') return 'EdDSA';
  return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? 'ES256' : undefined;
};
