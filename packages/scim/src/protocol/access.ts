import { hash, timingSafeEqual } from 'node:crypto';
import { ScimError } from './scim-error.ts';

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** The digest of a configured token: the token itself, or `sha256:` and its digest in hexadecimal. */
const digestOf = (token: string): Buffer => {
  const hex = /^sha256:([0-9a-f]{64})$/i.exec(token)?.[1];
  return hex === undefined ? digest(token) : Buffer.from(hex, 'hex');
};

const bearer = /^Bearer +([\x21-\x7e]+) *$/i;

/**
 * Checks the bearer token of a request.
 *
 * Safe against measuring because digests have one length, and each is compared in constant time.
 */
export const createAccess = (tokens: readonly string[]): ((authorization: string | undefined) => void) => {
  const digests = tokens.map(digestOf);
  return (authorization) => {
    const given = digest(bearer.exec(authorization ?? '')?.[1] ?? '');
    if (digests.filter((expected) => timingSafeEqual(given, expected)).length === 0)
      throw new ScimError(401, 'Send the SCIM token: "Authorization: Bearer ...".');
  };
};
