import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Write } from '@carnet/adapter-contract';
import type { UnverifiedJws } from '@carnet/signer-contract/jws';
import Nonces from 'oidc-provider/lib/helpers/challenge.js';
import type { Clock } from '../clock.ts';
import type { KeyRing } from '../flow/key-ring.ts';
import type { ProvenKeys } from '../grants/grant.ts';
import type { ReadClientCertificate } from '../http/client-certificate.ts';
import { createOpenProof, problemOfProof } from '../keys/proofs/dpop-proof.ts';
import { OAuthError } from '../oauth-error.ts';
import { type EndpointOptions, proofUrls } from './client-endpoints.ts';
import type { FeaturesConfig } from './features/config.ts';
import { problemOfTimes } from './features/fapi.ts';
import { replayClaim } from './replay.ts';

/** A DPoP proof is accepted for this long, before and after its `iat`, until the last of these seconds has ended. */
const proofSeconds = 300;

export interface Proven {
  readonly keys: ProvenKeys;
  /** The claim that lets a DPoP proof be used once (RFC 9449, section 11.1). */
  readonly proof?: Write;
  /** Headers of the response: `DPoP-Nonce` (RFC 9449, section 8). */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * @param accessToken the token beside the proof, whose hash the proof must have (RFC 9449, section 7)
 * @throws {OAuthError} `invalid_dpop_proof`, `use_dpop_nonce`
 */
export type ProveKeys = (
  route: keyof ReturnType<typeof proofUrls>,
  message: IncomingMessage,
  clientId: string,
  accessToken?: string,
) => Proven | Promise<Proven>;

interface ProveKeysDependencies extends Clock {
  readonly options: EndpointOptions & { readonly features: Pick<FeaturesConfig, 'dpop' | 'fapi' | 'mtls'> };
  readonly clientCertificate: ReadClientCertificate;
  readonly keyRing: Pick<KeyRing, 'mac'>;
  /** The accepted algorithms of DPoP proofs. */
  readonly proofAlgorithms: readonly unknown[];
}

const invalidProof = (description = 'invalid DPoP key binding'): OAuthError =>
  new OAuthError('invalid_dpop_proof', description);

/** Checks the times and the nonce of a proof (RFC 9449, section 4.3, 10 and 11), and returns the headers of the response. */
const createFreshness = ({ options: { features }, keyRing, now }: ProveKeysDependencies) => {
  // Derived from the secret and the minute (section 8): any process knows the nonces of the others, and none is stored.
  const nonces = features.dpop.requireNonce
    ? new Nonces(Buffer.from(keyRing.mac('dpop_nonce', 'secret'), 'base64url'), 'DPoP')
    : undefined;

  return (claims: UnverifiedJws['claims']): Proven['headers'] => {
    const { iat, nonce } = claims;
    if (problemOfTimes(features, claims, now())) throw invalidProof('DPoP proof is from the future');
    if (nonce !== undefined && typeof nonce !== 'string') throw invalidProof('DPoP proof nonce must be a string');
    if (nonces === undefined) {
      if (nonce) throw invalidProof('DPoP nonces are not supported');
      if (Math.abs(Math.floor(now() / 1000) - Number(iat)) <= proofSeconds) return {};
      throw invalidProof('DPoP proof iat is not recent enough');
    }
    const next = nonces.nextChallenge();
    const headers = { 'dpop-nonce': next };
    const problem = nonce ? 'invalid nonce in DPoP proof' : 'nonce is required in the DPoP proof';
    if (!nonce || !nonces.checkChallenge(nonce)) throw new OAuthError('use_dpop_nonce', problem, { headers });
    return nonce === next ? {} : headers;
  };
};

/** Finds the keys of which a request proves possession: that of its DPoP proof, and that of its certificate. */
export const createProveKeys = (deps: ProveKeysDependencies): ProveKeys => {
  const { options, clientCertificate, proofAlgorithms, now } = deps;
  const { dpop, mtls } = options.features;
  const urls = proofUrls(options);
  const openProof = createOpenProof(proofAlgorithms);
  const assertFresh = createFreshness(deps);

  return (route, message, clientId, accessToken) => {
    const certificate = (): string | undefined => {
      const shown = mtls.enabled ? clientCertificate(message) : undefined;
      return shown && hash('sha256', shown.certificate.raw as never, 'base64url');
    };
    if (!dpop.enabled || !message.headers.dpop) return { keys: { certificate } };
    const opened = openProof(String(message.headers.dpop));
    if (opened === undefined) throw invalidProof();
    const { claims, jkt, isSigned } = opened;
    const finish = (isVerified: boolean): Proven => {
      const request = { method: message.method, urls: urls[route], accessToken, now: now() };
      const problem = isVerified ? problemOfProof(claims, request) : 'invalid DPoP key binding';
      if (problem) throw invalidProof(problem);
      const headers = assertFresh(claims);
      const proof = replayClaim(clientId, claims.jti, Math.floor(now() / 1000) + proofSeconds + 1);
      return { keys: { jkt, certificate }, proof, headers };
    };
    return isSigned instanceof Promise ? isSigned.then(finish) : finish(isSigned);
  };
};
