import type { SigningAlgorithm } from './signer.ts';
import type { SigningKeys } from './signing-keys.ts';

export interface OpenedJwt {
  /** The `typ` of the header; what keeps one kind of token from passing as another. */
  readonly typ: unknown;
  readonly claims: Readonly<Record<string, unknown>>;
}

const decode = (segment: string): Record<string, unknown> => {
  const value: unknown = JSON.parse(Buffer.from(segment, 'base64url').toString());
  if (typeof value !== 'object' || value === null) throw new TypeError('not a JSON object');
  return value as Record<string, unknown>;
};

/**
 * The claims of a compact JWS (RFC 7515) that one of our keys made, or nothing. Its expiry and issuer are the caller's
 * to judge.
 */
export const openJwt = (keys: Pick<SigningKeys, 'verify'>, jwt: string): OpenedJwt | undefined => {
  const [head = '', body = '', signature = '', ...rest] = jwt.split('.');
  if (rest.length > 0) return undefined;
  try {
    const { alg, kid, typ } = decode(head);
    const bytes = Buffer.from(signature, 'base64url');
    // Base64url is read leniently: of all texts that decode to a signature, only the one we wrote counts.
    if (typeof kid !== 'string' || bytes.toString('base64url') !== signature) return undefined;
    // The key's own algorithm is what verifies, and the header has to name it.
    if (!keys.verify(alg as SigningAlgorithm, kid, Buffer.from(`${head}.${body}`), bytes)) return undefined;
    return { typ, claims: decode(body) };
  } catch {
    return undefined;
  }
};
