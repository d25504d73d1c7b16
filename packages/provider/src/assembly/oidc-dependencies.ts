import type { ClientStore } from '../clients/client-store.ts';
import type { SecretVerifier } from '../clients/secret-verifier.ts';
import { createSubjectIdentifiers } from '../clients/subject-identifiers.ts';
import type { Config } from '../config/schema.ts';
import { createBrowserPlace } from '../http/browser-place.ts';
import { createClientCertificates } from '../http/client-certificate.ts';
import type { SigningKeys } from '../keys/signing/signing-keys.ts';
import type { FeaturesConfig } from '../library/features/config.ts';
import { registrationPath } from '../registration/registration-routes.ts';
import type { Deliveries } from '../sessions/deliveries.ts';
import type { ConfiguredAccounts } from './accounts.ts';
import type { Foundation } from './foundation.ts';

/** Both profiles are one feature for oidc-provider. */
const fapiOf = ({ features: { fapi }, oidc }: Config): FeaturesConfig['fapi'] =>
  oidc.profile === 'fapi1-advanced'
    ? { enabled: true, profile: '1.0 Final' }
    : { ...fapi, profile: fapi.enabled ? '2.0' : undefined };

/** The options of oidc-provider and the endpoints, with the values that follow from several keys. */
const oidcOptions = (config: Config, accounts: ConfiguredAccounts | undefined) => {
  const { issuer, urls, ttl, resources, hooks, tokens, oidc, http } = config;
  const { scopes = {} } = accounts ?? {};
  return {
    issuer,
    urls,
    ttl,
    resources,
    hooks,
    ...tokens,
    accessTokenClaims: {
      scopeClaim: tokens.scopeClaim,
      allowedTopLevel: tokens.allowedTopLevelClaims,
      mirrorTopLevel: tokens.mirrorTopLevelClaims,
      excludeNotBefore: tokens.excludeNotBeforeClaim,
    },
    pkceRequired: config.pkce.required,
    idTokenAlg: config.keys.idTokenAlg,
    frontchannelSeconds: config.logout.frontchannelSeconds,
    features: { ...config.features, fapi: fapiOf(config) },
    discovery: oidc.discovery,
    userinfo: oidc.userinfo,
    registrationEndpoint: oidc.dynamicClientRegistration.enabled ? issuer + registrationPath : undefined,
    subjectTypes: oidc.subjectIdentifiers.supportedTypes,
    supportedClaims: [...oidc.supportedClaims, ...Object.values(scopes).flat()],
    supportedScopes: [...oidc.supportedScopes, ...Object.keys(scopes)],
    supportedAcrValues: oidc.supportedAcrValues.length > 0 ? oidc.supportedAcrValues : (accounts?.acrValues ?? []),
    sufficientAcrs: accounts?.sufficientAcrs ?? new Map<string, readonly string[]>(),
    /** Whether the end of the TLS connection reports the verification of client certificates. */
    certificatesAreVerified: http.clientCertificateHeader === undefined || http.clientVerifiedHeader !== undefined,
  };
};

export interface OidcParts {
  readonly clients: ClientStore;
  readonly secrets: SecretVerifier;
  readonly deliveries: Deliveries;
  /** Undefined if another program checks users. */
  readonly accounts: ConfiguredAccounts | undefined;
}

/** The dependencies of oidc-provider and the endpoints, without the signing keys, which change. */
export const oidcDependencies = (base: Foundation, { accounts, ...parts }: OidcParts) => {
  const { config, flow, outbound } = base;
  return {
    ...parts,
    ...flow,
    options: oidcOptions(config, accounts),
    adapter: base.adapter,
    undoneBy: base.undoneBy,
    outbound,
    subjects: createSubjectIdentifiers({ ...config.oidc.subjectIdentifiers, outbound }),
    clientCertificate: createClientCertificates(config.http),
    placeOf: createBrowserPlace(config.http.trustedProxies),
    hooks: base.options.hooks,
    logger: base.logger,
    audit: base.telemetry.audit,
    now: base.now,
    counts: { clientInstantiations: 0 },
  };
};

export type OidcDependencies = ReturnType<typeof oidcDependencies> & { readonly signingKeys: SigningKeys };
