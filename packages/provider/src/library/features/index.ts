import { grantTypes } from '../../clients/grant-types.ts';
import { deviceVerificationPath } from '../../flow/urls.ts';
import { deviceAuthorizationPath, parPath } from '../paths.ts';
import { ciba } from './ciba.ts';
import { claimsParameter } from './claims-parameter.ts';
import { encryption } from './encryption.ts';
import { fapi } from './fapi.ts';
import type { Feature } from './feature.ts';
import { jar } from './jar.ts';
import { mtls } from './mtls.ts';
import { rar } from './rar.ts';

/** The device flow (RFC 8628): `endpoints/device-authorization.ts`. The user signs in by a flow (`device-visit.ts`). */
const device: Feature = {
  name: 'device',
  create: () => ({
    upstream: { deviceFlow: { enabled: true } },
    endpoints: {
      device_authorization: { path: deviceAuthorizationPath, methods: ['POST', 'OPTIONS'] },
      code_verification: { path: deviceVerificationPath, methods: ['GET'], isForBrowsers: true },
    },
    grantTypes: [grantTypes.deviceCode],
  }),
};

/** Tokens bound to a key of the client (RFC 9449). The claims of `library/replay.ts` ensure the single use of proofs. */
const dpop: Feature = {
  name: 'dpop',
  clientFields: { dpop_bound_access_tokens: Boolean },
  create: ({ options, keyRing }) => ({
    upstream: {
      dPoP: {
        enabled: true,
        // Nonces are derived from it and the minute (section 8): any process knows those of the others, none is stored.
        ...(options.features.dpop.requireNonce
          ? { requireNonce: () => true, nonceSecret: Buffer.from(keyRing.mac('dpop_nonce', 'secret'), 'base64url') }
          : {}),
      },
    },
  }),
};

/** A code, and tokens beside it at once (OpenID Connect Core, section 3.3). A client needs both grant types for it. */
const hybrid: Feature = {
  name: 'hybrid',
  create: ({ options }) => ({
    grantTypes: ['implicit'],
    // FAPI 1.0 Advanced, section 5.2.2, 2, allows no other.
    responseTypes: [
      'code id_token',
      ...(options.features.fapi.profile === '1.0 Final' ? [] : (['code token', 'code id_token token'] as const)),
    ],
  }),
};

/**
 * Tokens without a code (OpenID Connect Core, section 3.2). A claim in `interaction/completion.ts` ensures that they
 * are issued once. The response type `token` alone is not offered: its response does not name the client that the token
 * was issued to, and oidc-provider does not support it.
 */
const implicit: Feature = {
  name: 'implicit',
  create: () => ({ grantTypes: ['implicit'], responseTypes: ['id_token', 'id_token token'] }),
};

/** Pushed authorization requests (RFC 9126). */
const par: Feature = {
  name: 'par',
  clientFields: { require_pushed_authorization_requests: Boolean },
  create: ({ options }) => ({
    upstream: {
      pushedAuthorizationRequests: {
        enabled: true,
        requirePushedAuthorizationRequests: options.features.par.required || options.features.fapi.profile === '2.0',
        allowUnregisteredRedirectUris: false,
      },
    },
    endpoints: { pushed_authorization_request: { path: parPath, methods: ['POST', 'OPTIONS'] } },
  }),
};

/** Authorization responses as JWTs (JARM): `response_mode` jwt, query.jwt, fragment.jwt and form_post.jwt. */
const jarm: Feature = {
  name: 'jarm',
  clientFields: { authorization_signed_response_alg: Boolean },
  create: () => ({ upstream: { jwtResponseModes: { enabled: true } } }),
};

/** Assertions of trusted issuers (RFC 7523, section 2.1): `grants/jwt-bearer.ts`. Clients need the grant type. */
const jwtBearer: Feature = {
  name: 'jwtBearer',
  create: () => ({ grantTypes: [grantTypes.jwtBearer] }),
};

/** Access tokens for one resource each (RFC 8707): `tokens/resources.ts`. oidc-provider reads `resource` in request objects. */
const resourceIndicators: Feature = {
  name: 'resourceIndicators',
  create: () => ({ upstream: { resourceIndicators: { enabled: true } } }),
};

/** Token exchange (RFC 8693): `grants/token-exchange.ts`. Clients need the grant type. */
const tokenExchange: Feature = {
  name: 'tokenExchange',
  create: () => ({ grantTypes: [grantTypes.tokenExchange] }),
};

/** The features that are more than a setting of an endpoint. `fapi` comes last: its metadata of clients override others. */
export const features: readonly Feature[] = [
  ciba,
  claimsParameter,
  device,
  dpop,
  encryption,
  hybrid,
  implicit,
  mtls,
  par,
  jar,
  jarm,
  jwtBearer,
  rar,
  resourceIndicators,
  tokenExchange,
  fapi,
];
