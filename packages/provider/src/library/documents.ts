import type { Provider } from 'oidc-provider';
import renderMetadata, { type ActionContext } from 'oidc-provider/lib/actions/discovery.js';
import renderKeys from 'oidc-provider/lib/actions/jwks.js';
import type { FeaturesConfig } from './features/config.ts';

/** The members of Hydra's document, which its Go SDK decodes: any other member is an error to it. */
const hydraMembers = [
  'authorization_endpoint',
  'backchannel_logout_session_supported',
  'backchannel_logout_supported',
  'claims_parameter_supported',
  'claims_supported',
  'code_challenge_methods_supported',
  'device_authorization_endpoint',
  'end_session_endpoint',
  'frontchannel_logout_session_supported',
  'frontchannel_logout_supported',
  'grant_types_supported',
  'id_token_signed_response_alg',
  'id_token_signing_alg_values_supported',
  'issuer',
  'jwks_uri',
  'registration_endpoint',
  'request_object_signing_alg_values_supported',
  'request_parameter_supported',
  'request_uri_parameter_supported',
  'require_request_uri_registration',
  'response_modes_supported',
  'response_types_supported',
  'revocation_endpoint',
  'scopes_supported',
  'subject_types_supported',
  'token_endpoint',
  'token_endpoint_auth_methods_supported',
  'userinfo_endpoint',
  'userinfo_signed_response_alg',
  'userinfo_signing_alg_values_supported',
] as const;

type Document = Readonly<Record<string, unknown>>;

const cutDown = (document: Document): Document =>
  Object.fromEntries(hydraMembers.flatMap((name) => (document[name] === undefined ? [] : [[name, document[name]]])));

const withMore = (list: unknown, more: readonly string[]): readonly string[] => [
  ...new Set([...(list as readonly string[]), ...more]),
];

export interface DiscoveryOptions {
  readonly discovery: 'full' | 'standard' | 'hydra';
  /** Claims and scopes that the document lists in addition. */
  readonly supportedClaims: readonly string[];
  readonly supportedScopes: readonly string[];
  readonly supportedAcrValues: readonly string[];
  readonly features: Pick<FeaturesConfig, 'jar'>;
}

const byReference = { request_uri_parameter_supported: true, require_request_uri_registration: true };

/** The body that an action of oidc-provider renders for any request. */
const bodyOf = (action: (ctx: ActionContext) => void, provider: Provider): Document => {
  const oidc = { provider, issuer: provider.issuer, urlFor: (name: string) => provider.urlFor(name) };
  const ctx: ActionContext = { oidc };
  action(ctx);
  return ctx.body as Document;
};

/** The provider's metadata: what oidc-provider lists, and the configured claims and scopes. */
const metadataOf = (listed: Document, options: DiscoveryOptions): Document => {
  const { discovery, supportedClaims, supportedScopes, supportedAcrValues, features } = options;
  const document: Document = {
    ...listed,
    ...(features.jar.enabled && features.jar.byReference ? byReference : {}),
    claims_supported: withMore(listed.claims_supported, supportedClaims),
    scopes_supported: withMore(listed.scopes_supported, supportedScopes),
    ...(supportedAcrValues.length > 0 ? { acr_values_supported: supportedAcrValues } : {}),
  };
  return discovery === 'hydra' ? cutDown(document) : document;
};

/** The documents of a provider, which change with its keys only. */
export const documentsOf = (provider: Provider, options: DiscoveryOptions) => {
  const listed = bodyOf(renderMetadata, provider);
  const { dpop_signing_alg_values_supported: proofAlgorithms = [] } = listed;
  return {
    metadata: metadataOf(listed, options),
    publicKeys: bodyOf(renderKeys, provider),
    /** The algorithms of DPoP proofs (RFC 9449, section 5.1); none without DPoP. */
    proofAlgorithms: proofAlgorithms as readonly string[],
  };
};
