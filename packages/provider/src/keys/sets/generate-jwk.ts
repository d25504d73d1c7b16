import { thumbprint } from '@carnet/signer-contract/jws';
import { CarnetError } from '../../errors.ts';
import { randomText } from '../../random.ts';
import type { Jwk } from './jwk-schema.ts';

const symmetric = ['HS256', 'HS384', 'HS512'];
const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** The algorithms (RFC 7518, section 3.1; RFC 8037) that Hydra generates keys for. */
const algorithms = [...asymmetric, ...symmetric];

/**
 * A new private or symmetric key. The default `kid` is the key's thumbprint (RFC 7638), or a random name for a symmetric key.
 *
 * @throws CarnetError `invalid_request` for an unsupported algorithm
 */
export const generateJwk = async (
  alg: string,
  { kid, use = 'sig' }: Partial<Pick<Jwk, 'kid' | 'use'>> = {},
): Promise<Jwk> => {
  if (!algorithms.includes(alg)) {
    throw new CarnetError(
      'invalid_request',
      `Keys of this algorithm are not supported: "alg" must be one of ${algorithms.join(', ')}.`,
    );
  }
  const { exportJWK, generateKeyPair, generateSecret } = await import('jose');
  const options = { extractable: true };
  const key = symmetric.includes(alg)
    ? await generateSecret(alg, options)
    : (await generateKeyPair(alg, options)).privateKey;
  const jwk = await exportJWK(key);
  return { ...jwk, kid: kid ?? (jwk.kty === 'oct' ? randomText(16) : thumbprint(jwk)), alg, use } as Jwk;
};
