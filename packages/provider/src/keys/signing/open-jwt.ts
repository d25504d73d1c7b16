import type { SigningAlgorithm } from './signer.ts';
import type { SigningKeys } from './signing-keys.ts';

export interface OpenedJwt {
  /** The required `typ` of the header. It prevents that one type of token is accepted as another. */
  readonly typ: unknown;
  readonly claims: Readonly<Record<string, unknown>>;
}

const decode = (segment: string): Record<string, unknown> => {
  const value: unknown = JSON.parse(Buffer.from(segment, 'base64url').toString());
  if (typeof value !== 'object' || value === null) throw new TypeError('not a JSON object');
  return value as Record<string, unknown>;
};

/**
 * The claims of a compact JWS (RFC 7515) with a valid signature of a signing key; otherwise undefined. The caller
 * checks expiry and issuer.
 */
export const openJwt = (keys: Pick<SigningKeys, 'verify'>, jwt: string): OpenedJwt | undefined => {
  const [head = '', body = '', signature = '', ...rest] = jwt.split('.');
  if (rest.length > 0) return undefined;
  try {
    const { alg, kid, typ } = decode(head);
    const bytes = Buffer.from(signature, 'base64url');
    // Buffer decodes base64url leniently: only the canonical text of a signature is accepted.
    if (typeof kid !== 'string' || bytes.toString('base64url') !== signature) return undefined;
    // The algorithm is that of the key, and the header must name it.
    if (!keys.verify(alg as SigningAlgorithm, kid, Buffer.from(`${head}.${body}`), bytes)) return undefined;
    return { typ, claims: decode(body) };
  } catch {
    return undefined;
  }
};
