import { secondFactorsOf } from '../accounts/second-factors-of.ts';
import { sufficientAcrsOf } from '../accounts/sufficient-acrs.ts';
import { createSubjectIdentifiers } from '../clients/subject-identifiers.ts';
import type { Config } from '../config/schema.ts';
import { createBrowserPlace } from '../http/browser-place.ts';
import { createClientCertificates } from '../http/client-certificate.ts';
import type { FeaturesConfig } from '../library/features/config.ts';
import { registrationPath } from '../registration/registration-routes.ts';
import type { Oidc } from './create-oidc.ts';
import type { Foundation } from './foundation.ts';
import type { OidcOptions } from './oidc-dependencies.ts';
import type { Parts } from './parts.ts';
import { createRenewableOidc } from './renewable-oidc.ts';

/** Both profiles are one feature for oidc-provider. */
const fapiOf = ({ features: { fapi }, oidc }: Config): FeaturesConfig['fapi'] =>
  oidc.profile === 'fapi1-advanced'
    ? { enabled: true, profile: '1.0 Final' }
    : { ...fapi, profile: fapi.enabled ? '2.0' : undefined };

const optionsOf = (config: Config, accounts: Foundation['accounts']): OidcOptions => ({
  issuer: config.issuer,
  urls: config.urls,
  ttl: config.ttl,
  accessTokenStrategy: config.tokens.accessTokenStrategy,
  accessTokenType: config.tokens.accessTokenType,
  idTokenClaims: config.tokens.idTokenClaims,
  pkceRequired: config.pkce.required,
  scopeStrategy: config.tokens.scopeStrategy,
  refreshGraceSeconds: config.tokens.refreshGraceSeconds,
  refreshGraceReuseCount: config.tokens.refreshGraceReuseCount,
  accessTokenClaims: {
    scopeClaim: config.tokens.scopeClaim,
    allowedTopLevel: config.tokens.allowedTopLevelClaims,
    mirrorTopLevel: config.tokens.mirrorTopLevelClaims,
    excludeNotBefore: config.tokens.excludeNotBeforeClaim,
  },
  resources: config.resources,
  hooks: config.hooks,
  idTokenAlg: config.keys.idTokenAlg,
  registrationEndpoint: config.oidc.dynamicClientRegistration.enabled ? config.issuer + registrationPath : undefined,
  subjectTypes: config.oidc.subjectIdentifiers.supportedTypes,
  frontchannelSeconds: config.logout.frontchannelSeconds,
  features: { ...config.features, fapi: fapiOf(config) },
  fastPath: config.oidc.fastPath,
  discovery: config.oidc.discovery,
  userinfo: config.oidc.userinfo,
  supportedClaims: [...config.oidc.supportedClaims, ...Object.values(config.accounts?.scopes ?? {}).flat()],
  supportedAcrValues:
    config.oidc.supportedAcrValues.length > 0 ? config.oidc.supportedAcrValues : (accounts?.acrValues ?? []),
  sufficientAcrs: sufficientAcrsOf(config.accounts && secondFactorsOf(config.accounts)),
  supportedScopes: [...config.oidc.supportedScopes, ...Object.keys(config.accounts?.scopes ?? {})],
  certificatesAreVerified:
    config.http.clientCertificateHeader === undefined || config.http.clientVerifiedHeader !== undefined,
});

/** oidc-provider as the configuration wants it. */
export const createConfiguredOidc = (
  base: Foundation,
  { flow, ...parts }: Pick<Parts, 'flow' | 'clients' | 'secrets' | 'outbound' | 'deliveries'>,
): Oidc => {
  const { config, options, adapter, undoneBy, signingKeys, logger, telemetry, now } = base;
  return createRenewableOidc({
    options: optionsOf(config, base.accounts),
    adapter,
    undoneBy,
    subjects: createSubjectIdentifiers({ ...config.oidc.subjectIdentifiers, outbound: parts.outbound }),
    signingKeys,
    clientCertificate: createClientCertificates(config.http),
    placeOf: createBrowserPlace(config.http.trustedProxies),
    hooks: options.hooks,
    logger,
    audit: telemetry.audit,
    now,
    ...parts,
    ...flow,
  });
};
