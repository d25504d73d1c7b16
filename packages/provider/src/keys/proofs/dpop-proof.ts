import { hash, type KeyObject } from 'node:crypto';
import { atMost } from '@carnet/adapter-contract/kit';
import { isCurrent, readJws, type UnverifiedJws, verifyEmbedded } from '@carnet/signer-contract/jws';
import { LRUCache } from 'lru-cache';

/** The number of clients whose keys are cached. */
const maxKeys = 1_000;

/**
 * The returned function opens a DPoP proof and verifies its signature. It returns undefined for a text that is no proof (RFC 9449,
 * section 4.2).
 */
export const createOpenProof = (algorithms: readonly unknown[]) => {
  const imported = new LRUCache<string, KeyObject>(atMost(maxKeys));
  return (text: string) => {
    const jws = readJws(text);
    const { typ } = jws?.header ?? {};
    if (!jws || typeof typ !== 'string' || !/^(?:application\/)?dpop\+jwt$/i.test(typ)) return undefined;
    const verified = algorithms.includes(jws.header.alg) ? verifyEmbedded(jws, imported) : undefined;
    return verified && { claims: jws.claims, ...verified };
  };
};

/** The URL without its query and fragment; empty if the text is no URL. */
const endpointOf = (text: string): string => {
  const url = URL.parse(text);
  return url === null ? '' : Object.assign(url, { search: '', hash: '' }).href;
};

export interface ProvenRequest {
  readonly method: string | undefined;
  /** The URLs of the endpoint. */
  readonly urls: ReadonlySet<string>;
  /** The token beside the proof. */
  readonly accessToken: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The problem of a proof that is incomplete, or has not been made for a request (RFC 9449, section 4.3, 3, 8, 9 and 12). */
export const problemOfProof = (
  claims: UnverifiedJws['claims'],
  { method, urls, accessToken, now }: ProvenRequest,
): string | undefined => {
  const { iat, jti, htm, htu, ath } = claims;
  if (!isCurrent(claims, Math.floor(now / 1000))) return 'invalid DPoP key binding';
  if (!iat) return 'DPoP proof must have a iat number property';
  if (typeof jti !== 'string' || jti === '') return 'DPoP proof must have a jti string property';
  if (htm !== method) return 'DPoP proof htm mismatch';
  if (typeof htu !== 'string' || !(urls.has(htu) || urls.has(endpointOf(htu)))) return 'DPoP proof htu mismatch';
  const isForToken = accessToken === undefined || ath === hash('sha256', accessToken, 'base64url');
  return isForToken ? undefined : 'DPoP proof ath mismatch';
};
