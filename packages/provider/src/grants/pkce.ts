import { hash, timingSafeEqual } from 'node:crypto';
import { invalidGrant, invalidRequest } from '../oauth-error.ts';

/** The syntax of challenges and verifiers (RFC 7636, sections 4.1 and 4.2). */
const syntax = /^[\w.~-]{43,128}$/;

interface Asked {
  readonly challenge: string | undefined;
  readonly method: string | undefined;
}

/** Whether an authorization request has an S256 challenge, or has none and needs none (RFC 7636, section 4.3). */
export const isPlainChallenge = ({ challenge, method }: Asked, isNeeded: boolean): boolean =>
  challenge === undefined ? method === undefined && !isNeeded : method === 'S256' && syntax.test(challenge);

const matches = (challenge: string, verifier: string): boolean => {
  const computed = Buffer.from(hash('sha256', verifier, 'base64url'));
  const expected = Buffer.from(challenge);
  return computed.length === expected.length && timingSafeEqual(computed, expected);
};

/** @throws {OAuthError} `invalid_request` */
const assertSyntax = (verifier: string): void => {
  if (syntax.test(verifier)) return;
  throw invalidRequest('code_verifier must be 43 to 128 characters out of A-Z, a-z, 0-9, "-", ".", "_" and "~"');
};

/**
 * Checks that the client knows the verifier of its request (RFC 7636, section 4.6). After a request without
 * a challenge, a verifier is refused.
 *
 * @throws {OAuthError} `invalid_request` for a malformed verifier, `invalid_grant` for a wrong or missing one
 */
export const assertPossession = ({ challenge, method }: Asked, verifier: string | undefined): void => {
  if (verifier !== undefined) assertSyntax(verifier);
  if (challenge === undefined && verifier === undefined) return;
  if (challenge === undefined || verifier === undefined || method !== 'S256' || !matches(challenge, verifier))
    throw invalidGrant();
};
