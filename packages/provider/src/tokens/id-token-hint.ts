import { openJwt } from '../keys/signing/open-jwt.ts';
import type { SigningKeys } from '../keys/signing/signing-keys.ts';
import { isAccessToken } from './access-token.ts';

export interface IdTokenHint {
  readonly clientId: string;
  readonly subject: string;
  readonly sid?: string;
}

/** Whether a JWT of this issuer may be an ID token. Logout tokens have another type, userinfo has no `jti` and no `sid`. */
export const isIdToken = (typ: unknown, claims: Readonly<Record<string, unknown>>): boolean =>
  (typ ?? 'JWT') === 'JWT' && !isAccessToken(typ, claims) && (claims.jti ?? claims.sid) !== undefined;

/**
 * Opens an ID token of this issuer, of any age: expired ones are accepted (RP-Initiated Logout 1.0, section 4).
 *
 * @returns undefined for any other token
 */
export const openIdTokenHint = (
  { keys, issuer }: { readonly keys: SigningKeys; readonly issuer: string },
  jwt: string,
): IdTokenHint | undefined => {
  const opened = openJwt(keys, jwt);
  if (opened === undefined || !isIdToken(opened.typ, opened.claims)) return undefined;
  const { iss, aud, sub, sid } = opened.claims;
  // Ory Hydra writes a list of one. A token for several clients names none of them as the one that asks.
  const [clientId, ...others] = Array.isArray(aud) ? (aud as unknown[]) : [aud];
  if (iss !== issuer || typeof clientId !== 'string' || others.length > 0 || typeof sub !== 'string') return undefined;
  return { clientId, subject: sub, sid: typeof sid === 'string' ? sid : undefined };
};
