import { hash, type JsonWebKeyInput } from 'node:crypto';

/** The required members of each key type, in lexicographic order (RFC 7638 section 3.2, RFC 8037 section 2). */
const requiredMembers: Record<string, readonly (keyof JsonWebKeyInput['key'] & string)[]> = {
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
  RSA: ['e', 'kty', 'n'],
};

/** The RFC 7638 SHA-256 thumbprint of a JWK, base64url (43 characters). The same for the private and the public key. */
export const thumbprint = (jwk: JsonWebKeyInput['key']): string => {
  const members = requiredMembers[jwk.kty ?? ''];
  if (members === undefined) throw new TypeError(`no thumbprint for a key of type ${jwk.kty}`);
  return hash('sha256', JSON.stringify(Object.fromEntries(members.map((name) => [name, jwk[name]]))), 'base64url');
};
