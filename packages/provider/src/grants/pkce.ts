import { hash, timingSafeEqual } from 'node:crypto';

/** Of challenges and of verifiers (RFC 7636, sections 4.1 and 4.2). */
const syntax = /^[\w.~-]{43,128}$/;

interface Asked {
  readonly challenge: string | undefined;
  readonly method: string | undefined;
}

/** Whether an authorization request has a challenge by S256, or none where none is needed. */
export const isPlainChallenge = ({ challenge, method }: Asked, isNeeded: boolean): boolean =>
  challenge === undefined ? method === undefined && !isNeeded : method === 'S256' && syntax.test(challenge);

/** RFC 7636, section 4.6. Without a challenge there is no verifier, either. */
export const provesPossession = ({ challenge, method }: Asked, verifier: string | undefined): boolean => {
  if (challenge === undefined || verifier === undefined) return challenge === verifier;
  if (method !== 'S256' || !syntax.test(verifier)) return false;
  const computed = Buffer.from(hash('sha256', verifier, 'base64url'));
  const expected = Buffer.from(challenge);
  return computed.length === expected.length && timingSafeEqual(computed, expected);
};
