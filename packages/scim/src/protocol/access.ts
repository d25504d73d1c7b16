import { hash, timingSafeEqual } from 'node:crypto';
import { ScimError } from './scim-error.ts';

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** The digest of a configured token: the token itself, or `sha256:` and its digest in hexadecimal. */
const digestOf = (token: string): Buffer => {
  const hex = /^sha256:([0-9a-f]{64})$/i.exec(token)?.[1];
  return hex === undefined ? digest(token) : Buffer.from(hex, 'hex');
};

const bearer = /^Bearer +([\x21-\x7e]+) *$/i;

export interface TokenHolder {
  /** The name of the token in audit records. */
  readonly name: string;
  /** The accepted values of the token, or `sha256:` and the digest of one in hexadecimal. Several while it is replaced. */
  readonly values: readonly string[];
}

/**
 * The name of the token of a request.
 *
 * Safe against measuring because digests have one length, and each is compared in constant time.
 */
export const createAccess = (tokens: readonly TokenHolder[]): ((authorization: string | undefined) => string) => {
  const digests = tokens.flatMap(({ name, values }) => values.map((value) => ({ name, expected: digestOf(value) })));
  return (authorization) => {
    const given = digest(bearer.exec(authorization ?? '')?.[1] ?? '');
    const [found] = digests.filter(({ expected }) => timingSafeEqual(given, expected));
    if (found === undefined) throw new ScimError(401, 'Send the SCIM token: "Authorization: Bearer ...".');
    return found.name;
  };
};
