import { hash, timingSafeEqual } from 'node:crypto';
import { invalidGrant, invalidRequest } from '../oauth-error.ts';

/** The syntax of challenges and verifiers (RFC 7636, sections 4.1 and 4.2). */
const syntax = /^[\w.~-]{43,128}$/;
const syntaxText = '43 to 128 characters out of A-Z, a-z, 0-9, "-", ".", "_" and "~"';

interface Asked {
  readonly challenge: string | undefined;
  readonly method: string | undefined;
}

/**
 * Checks the challenge of an authorization request (RFC 7636, sections 4.3 and 4.4.1). `plain` is refused: it protects
 * nothing once a request has been seen (RFC 9700, section 2.1.1).
 *
 * @throws {OAuthError} `invalid_request`
 */
export const assertChallenge = ({ challenge, method }: Asked, isNeeded: boolean): void => {
  if (challenge === undefined) {
    if (method !== undefined) throw invalidRequest('code_challenge must be provided with code_challenge_method');
    if (isNeeded) throw invalidRequest('Authorization Server policy requires PKCE to be used for this request');
    return;
  }
  if (method === undefined) throw invalidRequest('code_challenge_method must be provided');
  if (method !== 'S256') throw invalidRequest('not supported value of code_challenge_method');
  if (!syntax.test(challenge)) throw invalidRequest(`code_challenge must be ${syntaxText}`);
};

const matches = (challenge: string, verifier: string): boolean => {
  const computed = Buffer.from(hash('sha256', verifier, 'base64url'));
  const expected = Buffer.from(challenge);
  return computed.length === expected.length && timingSafeEqual(computed, expected);
};

/**
 * Checks that the client knows the verifier of its request (RFC 7636, section 4.6). After a request without
 * a challenge, a verifier is refused.
 *
 * @throws {OAuthError} `invalid_request` for a malformed verifier, `invalid_grant` for a wrong or missing one
 */
export const assertPossession = ({ challenge, method }: Asked, verifier: string | undefined): void => {
  if (verifier !== undefined && !syntax.test(verifier)) throw invalidRequest(`code_verifier must be ${syntaxText}`);
  if (challenge === undefined && verifier === undefined) return;
  if (challenge === undefined || verifier === undefined || method !== 'S256' || !matches(challenge, verifier))
    throw invalidGrant();
};
