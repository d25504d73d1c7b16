import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Write } from '@carnet/adapter-contract';
import type { Provider } from 'oidc-provider';
import { validateDpop } from 'oidc-provider/lib/helpers/grants.js';
import type { Clock } from '../clock.ts';
import type { ProvenKeys } from '../grants/grant.ts';
import type { ReadClientCertificate } from '../http/client-certificate.ts';
import { createAskedContext, toOAuthError } from './asked-context.ts';
import type { FeaturesConfig } from './features/config.ts';
import { replayClaim } from './replay.ts';

/** oidc-provider accepts a DPoP proof for this long, before and after its `iat`. Seconds. */
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
  route: string,
  message: IncomingMessage,
  clientId: string,
  accessToken?: string,
) => Proven | Promise<Proven>;

interface ProveKeysDependencies extends Clock {
  readonly options: { readonly features: Pick<FeaturesConfig, 'dpop' | 'mtls'> };
  readonly clientCertificate: ReadClientCertificate;
}

/** Finds the keys of which a request proves possession. oidc-provider verifies DPoP proofs. */
export const createProveKeys = (
  provider: Provider,
  { options, clientCertificate, now }: ProveKeysDependencies,
): ProveKeys => {
  const { dpop, mtls } = options.features;

  const certificateOf = (message: IncomingMessage): string | undefined => {
    const shown = mtls.enabled ? clientCertificate(message) : undefined;
    return shown && hash('sha256', shown.certificate.raw as never, 'base64url');
  };

  const verifyProof = async (...[route, message, clientId, accessToken]: Parameters<ProveKeys>): Promise<Proven> => {
    const { context, headers } = createAskedContext(provider, route, message);
    const verified = await validateDpop(provider, context, accessToken).catch((error: unknown) => {
      throw toOAuthError(error, headers);
    });
    const certificate = () => certificateOf(message);
    if (verified === undefined) return { keys: { certificate } };
    const proof = replayClaim(clientId, verified.jti, now() / 1000 + proofSeconds);
    return { keys: { jkt: verified.thumbprint, certificate }, proof, headers };
  };

  return (...request) => {
    const [, message] = request;
    return dpop.enabled && message.headers.dpop
      ? verifyProof(...request)
      : { keys: { certificate: () => certificateOf(message) } };
  };
};
