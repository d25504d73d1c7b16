import { constants, type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { ecdsaToDer } from '../ecdsa-signature.ts';

/** How node:crypto verifies the signatures of an algorithm. */
interface Scheme {
  readonly digest: string | null;
  /** The `asymmetricKeyType`. */
  readonly keyType: string;
  readonly curve?: string;
  readonly options?: { readonly dsaEncoding?: 'ieee-p1363'; readonly padding?: number; readonly saltLength?: number };
}

const pss = (saltLength: number) => ({ padding: constants.RSA_PKCS1_PSS_PADDING, saltLength });
const ed25519: Scheme = { digest: null, keyType: 'ed25519' };

/** The asymmetric algorithms of RFC 7518, section 3.1, RFC 8037 and RFC 9864. `none` and keyed hashes are left out. */
const schemes: ReadonlyMap<string, Scheme> = new Map<string, Scheme>([
  ['RS256', { digest: 'sha256', keyType: 'rsa' }],
  ['RS384', { digest: 'sha384', keyType: 'rsa' }],
  ['RS512', { digest: 'sha512', keyType: 'rsa' }],
  ['PS256', { digest: 'sha256', keyType: 'rsa', options: pss(32) }],
  ['PS384', { digest: 'sha384', keyType: 'rsa', options: pss(48) }],
  ['PS512', { digest: 'sha512', keyType: 'rsa', options: pss(64) }],
  ['ES256', { digest: 'sha256', keyType: 'ec', curve: 'prime256v1' }],
  ['ES384', { digest: 'sha384', keyType: 'ec', curve: 'secp384r1', options: { dsaEncoding: 'ieee-p1363' } }],
  ['ES512', { digest: 'sha512', keyType: 'ec', curve: 'secp521r1', options: { dsaEncoding: 'ieee-p1363' } }],
  ['EdDSA', ed25519],
  ['Ed25519', ed25519],
]);

/** RFC 7518, sections 3.3 and 3.5. */
const minimumRsaBits = 2_048;

/** Whether a key is of the type, the curve and the size that an algorithm needs. */
const isKeyFor = ({ keyType, curve }: Scheme, { asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean =>
  asymmetricKeyType === keyType &&
  asymmetricKeyDetails?.namedCurve === curve &&
  (asymmetricKeyDetails?.modulusLength ?? minimumRsaBits) >= minimumRsaBits;

/** The arguments of `verify`; undefined if no signature of this form verifies. */
const argumentsOf = (alg: string, key: KeyObject, data: Uint8Array, signature: Uint8Array) => {
  const scheme = schemes.get(alg);
  // ES256 is converted to DER and has the key alone: with `{ key, dsaEncoding }` node:crypto takes twice as long.
  const encoded = alg === 'ES256' ? ecdsaToDer(signature) : signature;
  if (scheme === undefined || encoded === undefined || !isKeyFor(scheme, key)) return undefined;
  return [scheme.digest, data, scheme.options ? { key, ...scheme.options } : key, encoded] as const;
};

/** Verifies a JWS signature (RFC 7515, section 5.2). False for an unknown algorithm and for a key that is not for it. */
export const verifySignature = (...request: Parameters<typeof argumentsOf>): boolean => {
  const known = argumentsOf(...request);
  return known !== undefined && verify(...known);
};

const verifyAsync = promisify(verify);

/** The same in a thread of the pool. */
export const verifySignatureInThread = async (...request: Parameters<typeof argumentsOf>): Promise<boolean> => {
  const known = argumentsOf(...request);
  return known !== undefined && verifyAsync(...known);
};

/** With a longer modulus, a verification takes so long that it would delay other requests. */
const maximumQuickRsaBits = 4_096;

/**
 * Whether a verification takes so little time that the thread pool would cost more. A party that chooses its own key
 * may choose a large modulus or exponent.
 */
export const isQuickKey = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean => {
  const { namedCurve, modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
  if (asymmetricKeyType === 'ec') return namedCurve === 'prime256v1';
  return asymmetricKeyType === 'ed25519' || (modulusLength <= maximumQuickRsaBits && publicExponent <= 65_537n);
};
