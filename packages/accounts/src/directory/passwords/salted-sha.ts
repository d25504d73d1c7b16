import { createHash, timingSafeEqual } from 'node:crypto';
import { fromBase64, type Scheme } from './scheme.ts';

const digests: Readonly<Record<string, { readonly algorithm: string; readonly length: number }>> = {
  SSHA: { algorithm: 'sha1', length: 20 },
  SSHA256: { algorithm: 'sha256', length: 32 },
  SSHA512: { algorithm: 'sha512', length: 64 },
};

/** `{SSHA}`, `{SSHA256}` and `{SSHA512}` of LDAP servers: base64 of the digest and the salt. */
export const saltedSha: Scheme = (encoded) => {
  const [, label = '', text = ''] = /^\{(SSHA(?:256|512)?)\}([\w+/]{1,256}={0,2})$/i.exec(encoded) ?? [];
  const digest = digests[label.toUpperCase()];
  const bytes = fromBase64(text);
  if (digest === undefined || bytes.length <= digest.length) return undefined;
  const expected = bytes.subarray(0, digest.length);
  const salt = bytes.subarray(digest.length);
  return {
    cost: `salted-sha ${digest.algorithm}`,
    matches: (password) =>
      timingSafeEqual(createHash(digest.algorithm).update(password).update(salt).digest(), expected),
  };
};
