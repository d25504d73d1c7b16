import { type CryptoKey, compactVerify, createLocalJWKSet, errors, type JSONWebKeySet } from 'jose';
import type { PastedJwt } from './read-jwt.ts';

/** Whether the algorithm is one of a key pair. */
export const isSigned = ({ header: { alg = 'none' } }: PastedJwt): boolean => alg !== 'none' && !alg.startsWith('HS');

const isSignedBy = (text: string, key: CryptoKey): Promise<boolean> =>
  compactVerify(text, key).then(
    () => true,
    () => false,
  );

/** Without `kid`, several keys fit, and each is tried. */
const isSignedByAny = async (text: string, keys: AsyncIterable<CryptoKey>): Promise<boolean> => {
  for await (const key of keys) if (await isSignedBy(text, key)) return true;
  return false;
};

/** Undefined if one of the keys has made the signature. The claims are not checked. */
export const signatureProblem = async (
  { text }: PastedJwt,
  keys: JSONWebKeySet,
): Promise<'key' | 'signature' | undefined> => {
  try {
    await compactVerify(text, createLocalJWKSet(keys));
    return undefined;
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys)
      return (await isSignedByAny(text, error)) ? undefined : 'signature';
    return error instanceof errors.JWKSNoMatchingKey ? 'key' : 'signature';
  }
};
