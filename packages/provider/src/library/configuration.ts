import { type Configuration, ExternalSigningKey, errors, type interactionPolicy, Provider } from 'oidc-provider';
import { type ScopeStrategy, scopeMatches } from '../clients/scope-match.ts';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import { type Clock, clockSkewSeconds } from '../clock.ts';
import { isDecided } from '../flow/flow-state.ts';
import { isFlowPath, issuerUrl } from '../flow/urls.ts';
import { grantModel, pendingGrant } from '../grants/grant-record.ts';
import { errorPageUrl, pages } from '../interaction/pages.ts';
import type { Signer, SigningAlgorithm } from '../keys/signing/signer.ts';
import type { SigningKeys } from '../keys/signing/signing-keys.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import { accessTokenLifetime, type Lifetimes } from '../tokens/lifetimes.ts';
import type { UserinfoClaims } from '../tokens/userinfo-claims.ts';
import { isAllowedOrigin } from './allowed-origin.ts';
import { recordOf } from './clients.ts';
import { cookieNames } from './cookie-facade.ts';
import type { DiscoveryOptions } from './documents.ts';
import type { ComposedFeatures } from './features/compose-features.ts';
import type { FeaturesConfig } from './features/config.ts';
import { createFetch } from './fetch.ts';
import { createFindAccount } from './id-tokens.ts';
import type { ModelAdapter } from './models/model.ts';
import { type Paths, routes } from './paths.ts';
import { createPresentSubject } from './presented-subject.ts';
import { settleRequest } from './registered.ts';
import { createRequestObjectCheck } from './request-objects.ts';
import { currentState, rememberFailure, requestIdOf } from './request-state.ts';

class SignerKey extends ExternalSigningKey {
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

  override sign(data: Uint8Array) {
    const signature = this.#signer.sign(data, isFlowPath(Provider.ctx?.path ?? '') ? 'browsers' : 'clients');
    // oidc-provider would turn the outage of a service into a `server_error`.
    return (signature instanceof Promise ? rememberFailure(currentState(), () => signature) : signature) as never;
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
  dPoP: { enabled: false },
  // Called for tokens that were bound while the feature was on: there is no certificate.
  mTLS: { enabled: false, getCertificate: () => undefined },
  externalSigningSupport: { enabled: true, ack: 'experimental-01' },
} as const;

/** Seconds: how far ahead a client assertion may expire. */
const maxAssertionSeconds = 86_400;

/** Shows an error that must not be sent to the client: on the operator's error page (`urls.error`), or on Carnet's. */
const renderErrorFor =
  (
    errorUrl: string | undefined,
    { isForBrowsers }: ConfigurationParts['paths'],
  ): NonNullable<Configuration['renderError']> =>
  (ctx, out, error) => {
    if (!isForBrowsers(ctx.path)) {
      // A client that accepts HTML, too, gets the same response (RFC 6749, section 5.2). After a redirect the writes of
      // the request would be committed.
      ctx.body = out;
      return;
    }
    const description = out.error_description ?? '';
    const status = (error as { statusCode?: number }).statusCode ?? 500;
    if (errorUrl === undefined || currentState().flow || status >= 500) {
      const page = pages.error({ status, error: out.error, description, requestId: requestIdOf(ctx) });
      ctx.status = status;
      ctx.set(page.headers ?? {});
      ctx.body = page.body;
      return;
    }
    ctx.status = 302;
    ctx.redirect(errorPageUrl(errorUrl, { error: out.error, description, requestId: requestIdOf(ctx) }));
  };

/** Whether a client has to prove that a code is its own (RFC 7636). */
export const needsPkce = (
  { pkceRequired }: { readonly pkceRequired: 'public' | 'always' | 'never' },
  { clientAuthMethod }: { readonly clientAuthMethod?: string },
): boolean => pkceRequired === 'always' || (pkceRequired === 'public' && clientAuthMethod === 'none');

/** Discovery members that are in no specification and that Hydra's SDKs require. */
const hydraMembers = ({ idTokenAlg }: { readonly idTokenAlg: SigningAlgorithm }) => ({
  id_token_signed_response_alg: [idTokenAlg],
  userinfo_signed_response_alg: [idTokenAlg],
});

export interface ConfigurationParts {
  readonly models: Readonly<Record<string, ModelAdapter>>;
  readonly policy: InstanceType<typeof interactionPolicy.Prompt>[];
  readonly paths: Pick<Paths, 'routes' | 'isForBrowsers'>;
  readonly features: Pick<ComposedFeatures, 'upstream' | 'configure'>;
  readonly userinfoClaims: UserinfoClaims;
}

export interface ConfigurationDependencies extends Clock {
  readonly options: {
    readonly issuer: string;
    readonly urls: { readonly login: string; readonly error?: string };
    readonly ttl: Lifetimes;
    readonly idTokenAlg: SigningAlgorithm;
    readonly subjectTypes: readonly ('public' | 'pairwise')[];
    readonly scopeStrategy: ScopeStrategy;
    readonly pkceRequired: 'public' | 'always' | 'never';
    /** The URL at which clients register themselves, if they may. */
    readonly registrationEndpoint?: string;
    readonly features: Pick<FeaturesConfig, 'fapi'>;
    readonly discovery: DiscoveryOptions['discovery'];
  };
  readonly signingKeys: SigningKeys;
  readonly outbound: Pick<OutboundClient, 'send'>;
  readonly subjects: SubjectIdentifiers;
}

export const createConfiguration = (
  { options, signingKeys, outbound, subjects, now }: ConfigurationDependencies,
  { models, policy, paths, features, userinfoClaims }: ConfigurationParts,
): Configuration => {
  const { ttl, urls } = options;
  const present = createPresentSubject(subjects);
  return features.configure({
    adapter: ((name: string) => models[name]) as never,
    jwks: { keys: signingKeys.signers.map((signer) => new SignerKey(signer)) } as never,
    features: {
      ...always,
      requestObjects: { enabled: false, assertJwtClaimsAndHeader: createRequestObjectCheck(now) },
      ...features.upstream,
    } as never,
    clockTolerance: clockSkewSeconds,
    fetch: createFetch(outbound) as never,
    routes: paths.routes,
    cookies: {
      names: cookieNames,
      // Never sent: the facade sets none. The library insists on it for POST at the authorization endpoint.
      long: { sameSite: 'none' },
      short: { sameSite: 'none' },
    },
    enableHttpPostMethods: true,
    subjectTypes: [...options.subjectTypes],
    // Clients are validated by `subjects.validate`, with the outbound client.
    sectorIdentifierUriValidate: () => false,
    pairwiseIdentifier: async (ctx, subject, client) => present(ctx, client, subject),
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
    extraParams: {
      // oidc-provider calls this for every authorization request, after all of its other checks.
      audience: (ctx) => settleRequest(ctx, scopeMatches[options.scopeStrategy]),
    },
    assertJwtClientAuthClaimsAndHeader: async (_ctx, { exp }) => {
      // Its `jti` has to be remembered until then.
      if (Number(exp) > now() / 1000 + maxAssertionSeconds + clockSkewSeconds) {
        throw new errors.InvalidClientAuth(
          `client assertions must expire within ${maxAssertionSeconds} seconds` as never,
        );
      }
    },
    clientBasedCORS: (_ctx, origin, client) => isAllowedOrigin(client, origin),
    interactions: { policy: policy as never, url: () => currentState().next?.url ?? urls.login },
    findAccount: createFindAccount(userinfoClaims),
    loadExistingGrant: async (ctx) => {
      const state = currentState();
      if (!state.flow || !isDecided(state.flow) || !ctx.oidc.client) return undefined;
      const record = pendingGrant(state.flow);
      // Stored only if the response contains tokens. Otherwise the redemption of the code stores it.
      state.grant = { record, isStored: false, expiresAt: 0 };
      const model = grantModel(record, recordOf(ctx.oidc.client), scopeMatches[options.scopeStrategy]);
      return model && new ctx.oidc.provider.Grant(model);
    },
    expiresWithSession: async () => false,
    revokeGrantPolicy: () => true,
    pkce: { required: (_ctx, client) => needsPkce(options, client) },
    renderError: renderErrorFor(urls.error, paths),
    ttl: {
      // For tokens of the authorization endpoint. `grants/` issues all other tokens.
      AccessToken: (_ctx, { gty, resourceServer }, client) =>
        accessTokenLifetime(
          { client: recordOf(client as object), gty, resource: { accessTokenTtl: resourceServer?.accessTokenTTL } },
          ttl,
        ),
      AuthorizationCode: ttl.authCode,
      Grant: ttl.refreshToken,
      Interaction: ttl.loginConsentRequest,
      Session: ttl.authenticationSession,
    },
    discovery: {
      end_session_endpoint: issuerUrl(options.issuer, routes.end_session).href,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      frontchannel_logout_supported: true,
      frontchannel_logout_session_supported: true,
      registration_endpoint: options.registrationEndpoint,
      // Initiating User Registration via OpenID Connect 1.0, section 3. A client library may refuse a document that
      // names a prompt it does not know (Nimbus, and so Spring Security): Hydra's `registration` is accepted, but not
      // announced.
      prompt_values_supported: ['none', ...policy.map(({ name }) => name).filter((name) => name !== 'registration')],
      ...(options.features.fapi.enabled || options.discovery === 'standard' ? {} : hydraMembers(options)),
    } as never,
  });
};
