import type { SigningAlgorithm } from '@carnet/signer-contract';
import { readJws, type UnverifiedJws } from '@carnet/signer-contract/jws';
import type { SigningKeys } from './signing-keys.ts';

export interface OpenedJwt {
  /** The required `typ` of the header. It prevents that one type of token is accepted as another. */
  readonly typ: unknown;
  readonly claims: UnverifiedJws['claims'];
}

/**
 * The claims of a compact JWS (RFC 7515) with a valid signature of a signing key; otherwise undefined. The caller
 * checks expiry and issuer.
 */
export const openJwt = (keys: Pick<SigningKeys, 'verify'>, jwt: string): OpenedJwt | undefined => {
  const jws = readJws(jwt);
  if (jws === undefined) return undefined;
  const { header, claims, signed, signature } = jws;
  const { alg, kid, typ } = header;
  // The algorithm is that of the key, and the header must name it.
  const isOurs = typeof kid === 'string' && keys.verify(alg as SigningAlgorithm, kid, signed, signature);
  return isOurs ? { typ, claims } : undefined;
};
