import { type Configuration, ExternalSigningKey, errors } from 'oidc-provider';
import { type Clock, clockSkewSeconds } from '../clock.ts';
import { issuerUrl, logoutPath } from '../flow/urls.ts';
import { promptValues } from '../interaction/policy.ts';
import type { Signer, SigningAlgorithm } from '../keys/signing/signer.ts';
import type { SigningKeys } from '../keys/signing/signing-keys.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import { findingsOf } from './asked-context.ts';
import { createFetchKeys } from './client-keys.ts';
import type { DiscoveryOptions } from './documents.ts';
import type { ComposedFeatures } from './features/compose-features.ts';
import type { FeaturesConfig } from './features/config.ts';
import type { Paths } from './paths.ts';
import { replayClaim } from './replay.ts';

/** A public key: Carnet signs (`tokens/`). */
class VerificationKey extends ExternalSigningKey {
  readonly #signer: Signer;

  constructor(signer: Signer) {
    super();
    this.#signer = signer;
    // Setters upstream, though its types call them read-only.
    Object.assign(this, { kid: signer.kid, alg: signer.alg });
  }

  override keyObject() {
    return this.#signer.publicKey;
  }

  override sign(): never {
    throw new TypeError('oidc-provider signs nothing');
  }
}

/**
 * Every feature with a default in oidc-provider is set here, so that an upgrade of oidc-provider changes no feature.
 */
const always = {
  devInteractions: { enabled: false },
  clientCredentials: { enabled: true },
  revocation: { enabled: true },
  userinfo: { enabled: true },
  jwtUserinfo: { enabled: true },
  introspection: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  resourceIndicators: { enabled: false },
  requestObjects: { enabled: false },
  dPoP: { enabled: false },
  mTLS: { enabled: false },
  externalSigningSupport: { enabled: true, ack: 'experimental-01' },
} as const;

const nothing = async (): Promise<undefined> => undefined;

/** The storage of oidc-provider's models. It stores nothing: the use of a client assertion is a finding. */
const modelStorage = { find: nothing, upsert: nothing };

/** Seconds: how far ahead a client assertion may expire. */
const maxAssertionSeconds = 86_400;

/** Discovery members that are in no specification and that Hydra's SDKs require. */
const hydraMembers = ({ idTokenAlg }: { readonly idTokenAlg: SigningAlgorithm }) => ({
  id_token_signed_response_alg: [idTokenAlg],
  userinfo_signed_response_alg: [idTokenAlg],
});

export interface ConfigurationDependencies extends Clock {
  readonly options: {
    readonly issuer: string;
    readonly idTokenAlg: SigningAlgorithm;
    readonly subjectTypes: readonly ('public' | 'pairwise')[];
    /** The URL at which clients register themselves, if they may. */
    readonly registrationEndpoint?: string;
    readonly features: Pick<FeaturesConfig, 'fapi'>;
    readonly discovery: DiscoveryOptions['discovery'];
  };
  readonly signingKeys: SigningKeys;
  readonly outbound: Pick<OutboundClient, 'send'>;
}

export const createConfiguration = (
  { options, signingKeys, outbound, now }: ConfigurationDependencies,
  { routes }: Pick<Paths, 'routes'>,
  features: Pick<ComposedFeatures, 'upstream' | 'configure'>,
): Configuration => {
  return features.configure({
    adapter: (() => modelStorage) as never,
    jwks: { keys: signingKeys.signers.map((signer) => new VerificationKey(signer)) } as never,
    features: { ...always, ...features.upstream } as never,
    clockTolerance: clockSkewSeconds,
    fetch: createFetchKeys(outbound) as never,
    routes,
    subjectTypes: [...options.subjectTypes],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    // No HMAC algorithm: secrets are stored as hashes, so nothing can be keyed with them.
    enabledJWA: {
      clientAuthSigningAlgValues: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
      requestObjectSigningAlgValues: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
      idTokenSigningAlgValues: ['RS256', 'ES256', 'EdDSA'],
      userinfoSigningAlgValues: ['RS256', 'ES256', 'EdDSA'],
    },
    clientDefaults: { id_token_signed_response_alg: options.idTokenAlg },
    scopes: ['openid', 'offline_access', 'offline'],
    claims: { openid: ['sub', 'auth_time', 'acr', 'amr', 'sid'] },
    extraParams: ['audience', 'authorization_details'],
    // Called last, once the assertion is verified.
    assertJwtClientAuthClaimsAndHeader: async (ctx, { iss, jti, exp }) => {
      // Its `jti` has to be remembered until then.
      if (Number(exp) > now() / 1000 + maxAssertionSeconds + clockSkewSeconds) {
        throw new errors.InvalidClientAuth(
          `client assertions must expire within ${maxAssertionSeconds} seconds` as never,
        );
      }
      findingsOf(ctx).proofs.push(replayClaim(String(iss), jti, Number(exp) + clockSkewSeconds));
    },
    discovery: {
      end_session_endpoint: issuerUrl(options.issuer, logoutPath).href,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      frontchannel_logout_supported: true,
      frontchannel_logout_session_supported: true,
      registration_endpoint: options.registrationEndpoint,
      // Initiating User Registration via OpenID Connect 1.0, section 3. A client library may refuse a document that
      // names a prompt it does not know (Nimbus, and so Spring Security): Hydra's `registration` is accepted, but not
      // announced.
      prompt_values_supported: promptValues.filter((name) => name !== 'registration'),
      ...(options.features.fapi.enabled || options.discovery === 'standard' ? {} : hydraMembers(options)),
    } as never,
  });
};
