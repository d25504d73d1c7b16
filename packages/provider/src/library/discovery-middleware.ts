import type { Middleware } from 'koa';
import { jwksMaxAgeSeconds } from '../keys/rotation/jwks-age.ts';
import { documentPaths, routes } from './paths.ts';

/** Public keys may be cached, but not longer than a new key waits before it signs. */
export const jwksCaching: Middleware = async (ctx, next) => {
  await next();
  if (ctx.path !== routes.jwks || ctx.status !== 200) return;
  ctx.set('Cache-Control', `public, max-age=${jwksMaxAgeSeconds}`);
  ctx.remove('Pragma');
};

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
}

/** Adds the configured claims and scopes to the discovery document, and reduces it to Hydra's members if configured. */
export const createDiscoveryMiddleware =
  ({ discovery, supportedClaims, supportedScopes, supportedAcrValues }: DiscoveryOptions): Middleware =>
  async (ctx, next) => {
    await next();
    if (!documentPaths.has(ctx.path) || ctx.status !== 200) return;
    const document: Document = {
      ...(ctx.body as Document),
      claims_supported: withMore((ctx.body as Document).claims_supported, supportedClaims),
      scopes_supported: withMore((ctx.body as Document).scopes_supported, supportedScopes),
      ...(supportedAcrValues.length > 0 ? { acr_values_supported: supportedAcrValues } : {}),
    };
    ctx.body = discovery === 'hydra' ? cutDown(document) : document;
  };
