import { createPublicKey, type JsonWebKeyInput, type KeyObject } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { UnverifiedJws } from './read-jws.ts';
import { thumbprint } from './thumbprint.ts';
import { isQuickKey, verifySignature, verifySignatureInThread } from './verify-signature.ts';

/** A key that another party has chosen. */
export type ForeignKey = JsonWebKeyInput['key'];

const isJwk = (value: unknown): value is ForeignKey =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of RSA, EC, OKP and symmetric JWKs that are secret (RFC 7518 section 6, RFC 8037 section 2). */
export const privateJwkMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;

const isVerifyOnly = (ops: unknown): boolean => Array.isArray(ops) && ops.length === 1 && ops[0] === 'verify';

/**
 * The longest numbers of an RSA key, in base64url: a modulus of 16,384 bits, the most that OpenSSL verifies with, and an exponent of
 * 256 bits (FIPS 186-5, appendix A.1.1). node:crypto takes a second to show a long exponent.
 */
const maximumLengths = { n: 2_731, e: 43 };

/** Whether a JWK is a public key that may verify signatures of an algorithm (RFC 7517, section 4). */
const mayVerify = (jwk: ForeignKey, alg: unknown): boolean =>
  (jwk.use === undefined || jwk.use === 'sig') &&
  (jwk.alg === undefined || jwk.alg === alg) &&
  (jwk.key_ops === undefined || isVerifyOnly(jwk.key_ops)) &&
  (jwk.n?.length ?? 0) <= maximumLengths.n &&
  (jwk.e?.length ?? 0) <= maximumLengths.e &&
  // node:crypto reads the name of a curve up to a NUL: one key would have several thumbprints.
  !jwk.crv?.includes?.('\0') &&
  privateJwkMembers.every((member) => jwk[member] === undefined);

/**
 * Without a promise for the usual keys: a thread of the pool costs more than the verification. False for a key that is not for
 * the algorithm of the header.
 */
const isSignedBy = ({ header, signed, signature }: UnverifiedJws, key: KeyObject): boolean | Promise<boolean> =>
  isQuickKey(key)
    ? verifySignature(String(header.alg), key, signed, signature)
    : verifySignatureInThread(String(header.alg), key, signed, signature).catch(() => false);

/**
 * Imported keys. The import of a key takes as long as a verification, and a party signs everything with the same few keys. A cache
 * holds no decision: each signature is verified.
 */
export interface ImportedKeys<Name> {
  get(name: Name): KeyObject | undefined;
  set(name: Name, key: KeyObject): unknown;
}

const keyOf = <Name>(imported: ImportedKeys<Name>, name: Name, jwk: ForeignKey): KeyObject => {
  const known = imported.get(name);
  if (known !== undefined) return known;
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  imported.set(name, key);
  return key;
};

/**
 * Verifies a JWS by the public key in its own header (RFC 7515, section 4.1.3), which any party may have chosen. Undefined if that is
 * no key for the algorithm.
 *
 * @param imported by thumbprint
 */
export const verifyEmbedded = (jws: UnverifiedJws, imported: ImportedKeys<string>) => {
  const { jwk, alg } = jws.header;
  if (!isJwk(jwk)) return undefined;
  try {
    if (!mayVerify(jwk, alg)) return undefined;
    const jkt = thumbprint(jwk);
    return { jkt, isSigned: isSignedBy(jws, keyOf(imported, jkt, jwk)) };
  } catch {
    return undefined;
  }
};

/** The public keys of another party. They may be fetched again, once they have expired. */
export interface PartyKeys {
  fresh(): boolean;
  refresh(): Promise<void>;
  selectForVerify(name: { readonly alg: unknown; readonly kid: unknown }): readonly ForeignKey[];
}

/** The key of each JWK. The object of a JWK lives as long as the keys of its party. */
const importedKeys = new WeakMap<ForeignKey, KeyObject>();

/** A party may have thousands of keys: after so many, other requests are served first. */
const keysAtOnce = 4;

const isSignedByOneOf = async (jws: UnverifiedJws, keys: PartyKeys): Promise<boolean> => {
  const { alg, kid } = jws.header;
  for (const [index, jwk] of keys.selectForVerify({ alg, kid }).entries()) {
    if (index > 0 && index % keysAtOnce === 0) await setImmediate();
    try {
      if (mayVerify(jwk, alg) && (await isSignedBy(jws, keyOf(importedKeys, jwk, jwk)))) return true;
    } catch {
      // The key can't be imported. The next one may verify.
    }
  }
  return false;
};

/** Whether a party has signed a JWS. If none of its known keys has, expired keys are fetched again. */
export const isSignedByParty = async (jws: UnverifiedJws, keys: PartyKeys): Promise<boolean> => {
  if (await isSignedByOneOf(jws, keys)) return true;
  if (keys.fresh()) return false;
  await keys.refresh();
  return isSignedByOneOf(jws, keys);
};
