import type { Provider } from 'oidc-provider';
import renderMetadata from 'oidc-provider/lib/actions/discovery.js';
import renderKeys from 'oidc-provider/lib/actions/jwks.js';
import { issuerUrl, logoutPath } from '../flow/urls.ts';
import { promptValues } from '../interaction/policy.ts';
import type { SigningAlgorithm } from '../keys/signing/signer.ts';
import { mtlsAliases } from './client-endpoints.ts';
import type { FeaturesConfig } from './features/config.ts';

/** The members of Hydra's document, which its Go SDK decodes: any other member is an error to it. */
const hydraMembers = `authorization_endpoint backchannel_logout_session_supported backchannel_logout_supported
  claims_parameter_supported claims_supported code_challenge_methods_supported device_authorization_endpoint
  end_session_endpoint frontchannel_logout_session_supported frontchannel_logout_supported grant_types_supported
  id_token_signed_response_alg id_token_signing_alg_values_supported issuer jwks_uri registration_endpoint
  request_object_signing_alg_values_supported request_parameter_supported request_uri_parameter_supported
  require_request_uri_registration response_modes_supported response_types_supported revocation_endpoint
  scopes_supported subject_types_supported token_endpoint token_endpoint_auth_methods_supported userinfo_endpoint
  userinfo_signed_response_alg userinfo_signing_alg_values_supported`.split(/\s+/);

type Document = Readonly<Record<string, unknown>>;

const cutDown = (document: Document): Document =>
  Object.fromEntries(hydraMembers.flatMap((name) => (document[name] === undefined ? [] : [[name, document[name]]])));

const withMore = (list: unknown, more: readonly string[]): readonly string[] => [
  ...new Set([...(list as readonly string[]), ...more]),
];

interface DiscoveryOptions {
  readonly issuer: string;
  readonly idTokenAlg: SigningAlgorithm;
  readonly discovery: 'full' | 'standard' | 'hydra';
  /** The URL at which clients register themselves, if they may. */
  readonly registrationEndpoint?: string;
  /** Claims and scopes that the document lists in addition. */
  readonly supportedClaims: readonly string[];
  readonly supportedScopes: readonly string[];
  readonly supportedAcrValues: readonly string[];
  readonly features: FeaturesConfig;
}

/** The body that an action of oidc-provider renders for any request. */
const bodyOf = (action: typeof renderMetadata, provider: Provider): Document => {
  const oidc = { provider, issuer: provider.issuer, urlFor: (name: string) => provider.urlFor(name) };
  const ctx: Parameters<typeof action>[0] = { oidc };
  action(ctx);
  return ctx.body as Document;
};

/** Members of features that oidc-provider does not have, or that Carnet implements itself. */
const membersOf = (options: DiscoveryOptions): Document => {
  const { clientIdMetadataDocument, fapi, jar, mtls, rar } = options.features;
  return {
    ...(jar.enabled && jar.byReference
      ? { request_uri_parameter_supported: true, require_request_uri_registration: true }
      : {}),
    ...(clientIdMetadataDocument.enabled ? { client_id_metadata_document_supported: true } : {}),
    ...(mtls.enabled && mtls.baseUrl !== undefined ? { mtls_endpoint_aliases: mtlsAliases(options) } : {}),
    ...(rar.enabled ? { authorization_details_types_supported: Object.keys(rar.types) } : {}),
    // In no specification: Hydra's SDKs require them.
    ...(fapi.enabled || options.discovery === 'standard'
      ? {}
      : {
          id_token_signed_response_alg: [options.idTokenAlg],
          userinfo_signed_response_alg: [options.idTokenAlg],
        }),
  };
};

/** The provider's metadata: the members that oidc-provider lists, and those of Carnet. */
const metadataOf = (listed: Document, options: DiscoveryOptions): Document => {
  const { discovery, supportedClaims, supportedScopes, supportedAcrValues } = options;
  const document: Document = {
    ...listed,
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
    claims_supported: withMore(listed.claims_supported, supportedClaims),
    scopes_supported: withMore(listed.scopes_supported, supportedScopes),
    ...(supportedAcrValues.length > 0 ? { acr_values_supported: supportedAcrValues } : {}),
    ...membersOf(options),
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
