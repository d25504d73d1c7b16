import type { SigningAlgorithm } from '../keys/signer.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';

export interface IdTokenHint {
  readonly clientId: string;
  readonly subject: string;
  readonly sid?: string;
}

const decode = (segment: string | undefined): Record<string, unknown> =>
  JSON.parse(Buffer.from(segment ?? '', 'base64url').toString()) as Record<string, unknown>;

/**
 * An ID token that we issued, of any age (RP-Initiated Logout 1.0, section 4): expired ones count too. Nothing when it
 * is not ours.
 */
export const openIdTokenHint = (
  { keys, issuer }: { readonly keys: SigningKeys; readonly issuer: string },
  jwt: string,
): IdTokenHint | undefined => {
  try {
    const [head, body, signature = '', ...rest] = jwt.split('.');
    const { alg, kid, typ } = decode(head);
    // An access token has another type: only what was issued as an ID token speaks for a login.
    if (rest.length > 0 || typeof kid !== 'string' || (typ !== undefined && typ !== 'JWT')) return undefined;
    const bytes = Buffer.from(signature, 'base64url');
    if (!keys.verify(alg as SigningAlgorithm, kid, Buffer.from(`${head}.${body}`), bytes)) return undefined;
    const { iss, aud, sub, sid } = decode(body);
    if (iss !== issuer || typeof aud !== 'string' || typeof sub !== 'string') return undefined;
    return { clientId: aud, subject: sub, sid: typeof sid === 'string' ? sid : undefined };
  } catch {
    return undefined;
  }
};
