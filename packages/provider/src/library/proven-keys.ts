import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Write } from '@carnet/adapter-contract';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { validateDpop } from 'oidc-provider/lib/helpers/grants.js';
import type { Clock } from '../clock.ts';
import type { ProvenKeys } from '../grants/grant.ts';
import type { ReadClientCertificate } from '../http/client-certificate.ts';
import { OAuthError } from '../oauth-error.ts';
import type { FeaturesConfig } from './features/config.ts';
import { replayClaim } from './models/replay-model.ts';

/** The members of a Koa context that oidc-provider reads to verify a DPoP proof. */
export interface ProofContext {
  readonly req: IncomingMessage;
  readonly method: string;
  readonly oidc: object;
  get(name: string): string;
  /** Sets a header of the response: `DPoP-Nonce` (RFC 9449, section 8). */
  set(name: string, value: string): void;
}

/** oidc-provider accepts a DPoP proof for this long, before and after its `iat`. Seconds. */
const proofSeconds = 300;

/** A proof by its `jti`, which is unique for one client. The name that oidc-provider gives it. */
const proofId = (clientId: string, jti: string): string => hash('sha256', `${clientId}${jti}`, 'base64url');

export interface Proven {
  readonly keys: ProvenKeys;
  /** The claim that lets a DPoP proof be used once (RFC 9449, section 11.1). */
  readonly proof: Write | undefined;
}

/** @throws {OAuthError} `invalid_dpop_proof`, `use_dpop_nonce` */
export type ProveKeys = (ctx: ProofContext, clientId: string) => Proven | Promise<Proven>;

/** oidc-provider's own errors, as ours. */
const proofError = (error: unknown): unknown => {
  const { error: code, error_description: description, expose } = error as Partial<OAuthError>;
  return code !== undefined && expose ? new OAuthError(code, description, { cause: error }) : error;
};

export interface ProveKeysDependencies extends Clock {
  readonly options: { readonly features: Pick<FeaturesConfig, 'dpop' | 'mtls'> };
  readonly clientCertificate: ReadClientCertificate;
}

/** Finds the keys of which a request proves possession. oidc-provider verifies DPoP proofs. */
export const createProveKeys = (
  provider: Provider,
  { options, clientCertificate, now }: ProveKeysDependencies,
): ProveKeys => {
  const { dpop, mtls } = options.features;

  const certificateOf = (req: IncomingMessage): string | undefined => {
    const shown = mtls.enabled ? clientCertificate(req) : undefined;
    return shown && hash('sha256', shown.certificate.raw as never, 'base64url');
  };

  const verifyProof = async (ctx: ProofContext, clientId: string): Promise<Proven> => {
    const certificate = () => certificateOf(ctx.req);
    const verified = await validateDpop(provider, ctx as unknown as KoaContextWithOIDC).catch((error: unknown) => {
      throw proofError(error);
    });
    if (verified === undefined) return { keys: { certificate }, proof: undefined };
    const proof = replayClaim(proofId(clientId, verified.jti), proofSeconds, now());
    return { keys: { jkt: verified.thumbprint, certificate }, proof };
  };

  return (ctx, clientId) =>
    dpop.enabled && ctx.get('DPoP') !== ''
      ? verifyProof(ctx, clientId)
      : { keys: { certificate: () => certificateOf(ctx.req) }, proof: undefined };
};
