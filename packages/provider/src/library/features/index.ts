import type { KoaContextWithOIDC, ResponseType } from 'oidc-provider';
import { subjectMatches } from '../../clients/certificate-subject.ts';
import type { RegisteredMetadata } from '../../clients/client-schema.ts';
import { grantTypes } from '../../clients/grant-types.ts';
import { type CarnetError, fieldError } from '../../errors.ts';
import { deviceVerificationPath } from '../../flow/urls.ts';
import type { ClientFeatures } from '../clients.ts';
import { deviceAuthorizationPath, type Endpoint, parPath } from '../paths.ts';
import { ciba } from './ciba.ts';
import { type FeatureName, type FeaturesConfig, featureNames } from './config.ts';
import { encryption } from './encryption.ts';
import { fapi } from './fapi.ts';
import type { ClientFields, Feature, FeatureDependencies, FeatureParts } from './feature.ts';
import { jar } from './jar.ts';

/** All features that can be enabled and disabled. */
const features: Readonly<Record<FeatureName, Feature>> = {
  ciba,
  encryption,
  fapi,
  jar,

  /**
   * The `claims` request parameter (OpenID Connect Core, section 5.5). The consent app decides which claims a client gets. The
   * flow engine enforces what the parameter demands of the login itself: `sub` and `acr` (`interaction/policy.ts`).
   */
  claimsParameter: { create: () => ({ upstream: { claimsParameter: { enabled: true } } }) },

  /**
   * Clients whose id is the URL of their metadata document (draft-ietf-oauth-client-id-metadata-document):
   * `registration/documents` fetches them. The experimental feature of oidc-provider stays off: Carnet finds clients in its own
   * cache, with its own limits, which the login API reads too.
   */
  clientIdMetadataDocument: {},

  /** The device flow (RFC 8628): `endpoints/device.ts`. The user signs in by a flow (`deviceVisit` of the flow engine). */
  device: {
    create: () => ({
      upstream: { deviceFlow: { enabled: true } },
      endpoints: {
        device_authorization: { path: deviceAuthorizationPath, methods: ['POST', 'OPTIONS'] },
        code_verification: { path: deviceVerificationPath, methods: ['GET'], isForBrowsers: true },
      },
      grantTypes: [grantTypes.deviceCode],
    }),
  },

  /** Tokens bound to a key of the client (RFC 9449): `keys/proofs/dpop-proof.ts`. The claims of `library/replay.ts` ensure the single use of proofs. */
  dpop: {
    clientFields: { dpop_bound_access_tokens: Boolean },
    create: () => ({ upstream: { dPoP: { enabled: true } } }),
  },

  /** A code, and tokens beside it at once (OpenID Connect Core, section 3.3). A client needs both grant types for it. */
  hybrid: {
    create: ({ options }) => ({
      grantTypes: ['implicit'],
      // FAPI 1.0 Advanced, section 5.2.2, 2, allows no other.
      responseTypes: [
        'code id_token',
        ...(options.features.fapi.profile === '1.0 Final' ? [] : (['code token', 'code id_token token'] as const)),
      ],
    }),
  },

  /**
   * Tokens without a code (OpenID Connect Core, section 3.2). A claim in `interaction/completion.ts` ensures that they
   * are issued once. The response type `token` alone is not offered: its response does not name the client that the token
   * was issued to, and oidc-provider does not support it.
   */
  implicit: { create: () => ({ grantTypes: ['implicit'], responseTypes: ['id_token', 'id_token token'] }) },

  /** Client authentication by certificate, and tokens that are bound to a certificate (RFC 8705). */
  mtls: {
    clientFields: {
      token_endpoint_auth_method: (method) => method === 'tls_client_auth' || method === 'self_signed_tls_client_auth',
      tls_client_certificate_bound_access_tokens: Boolean,
    },
    create: ({ options, clientCertificate }) => ({
      upstream: {
        mTLS: {
          enabled: true,
          certificateBoundAccessTokens: true,
          selfSignedTlsClientAuth: true,
          // If no proxy or server has verified the chain, the subject is only a claim of the caller.
          tlsClientAuth: options.certificatesAreVerified,
          getCertificate: ({ req }: KoaContextWithOIDC) => clientCertificate(req)?.certificate,
          certificateAuthorized: ({ req }: KoaContextWithOIDC) => clientCertificate(req)?.isVerified === true,
          certificateSubjectMatches: ({ req }: KoaContextWithOIDC, property: string, expected: string) => {
            const shown = clientCertificate(req);
            return shown !== undefined && subjectMatches(property, expected, shown.certificate);
          },
        },
      },
    }),
  },

  /** Pushed authorization requests (RFC 9126). */
  par: {
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
  },

  /** Authorization responses as JWTs (JARM): `response_mode` jwt, query.jwt, fragment.jwt and form_post.jwt. */
  jarm: {
    clientFields: { authorization_signed_response_alg: Boolean },
    create: () => ({ upstream: { jwtResponseModes: { enabled: true } } }),
  },

  /** Assertions of trusted issuers (RFC 7523, section 2.1): `grants/jwt-bearer.ts`. Clients need the grant type. */
  jwtBearer: { create: () => ({ grantTypes: [grantTypes.jwtBearer] }) },

  /**
   * Rich authorization requests (RFC 9396): `endpoints/authorization/authorization-details.ts`. oidc-provider's own
   * implementation needs a resource server for each detail. In Carnet the consent app grants them, like scopes.
   */
  rar: { clientFields: { authorization_details_types: (types) => Array.isArray(types) && types.length > 0 } },

  /** Access tokens for one resource each (RFC 8707): `tokens/resources.ts`. oidc-provider reads `resource` in request objects. */
  resourceIndicators: { create: () => ({ upstream: { resourceIndicators: { enabled: true } } }) },

  /** Token exchange (RFC 8693): `grants/token-exchange.ts`. Clients need the grant type. */
  tokenExchange: { create: () => ({ grantTypes: [grantTypes.tokenExchange] }) },
};

/** Client metadata that is not supported yet. */
const notYet: ClientFields = {
  request_object_encryption_alg: Boolean,
  introspection_signed_response_alg: Boolean,
  introspection_encrypted_response_alg: Boolean,
};

const askedIn = (metadata: RegisteredMetadata, fields: ClientFields): string | undefined =>
  Object.entries(fields).find(([name, isAsked]) => {
    const value = metadata[name as keyof RegisteredMetadata];
    return value !== undefined && isAsked(value, metadata);
  })?.[0];

/** The problem of a client whose metadata needs a feature that is switched off: it is neither registered nor served. */
const switchedOff = (metadata: RegisteredMetadata, config: FeaturesConfig): CarnetError | undefined => {
  for (const name of featureNames) {
    const field = config[name].enabled ? undefined : askedIn(metadata, features[name].clientFields ?? {});
    if (field !== undefined)
      return fieldError(
        field,
        `requires a feature that is off: leave it out, or have the operator set features.${name}.enabled to true.`,
      );
  }
  return undefined;
};

/** The problem for which a client can't be registered; undefined if there is none. */
const refusalOf = (metadata: RegisteredMetadata, config: FeaturesConfig): CarnetError | undefined => {
  const off = switchedOff(metadata, config);
  if (off !== undefined) return off;
  const refusal = featureNames
    .map((name) => config[name].enabled && features[name].refuse?.(metadata, config))
    .find(Boolean);
  if (refusal) return refusal;
  const field = askedIn(metadata, notYet);
  return field === undefined
    ? undefined
    : fieldError(field, 'requires a feature that this server does not support: leave it out.');
};

/** All features that are on, as one. */
export interface ComposedFeatures extends ClientFeatures {
  readonly upstream: Readonly<Record<string, object>>;
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  readonly responseTypes: ReadonlySet<ResponseType>;
}

export const composeFeatures = (deps: FeatureDependencies): ComposedFeatures => {
  const config = deps.options.features;
  const parts: FeatureParts[] = featureNames.map(
    (name) => (config[name].enabled && features[name].create?.(deps)) || {},
  );
  return {
    upstream: Object.assign({}, ...parts.map(({ upstream }) => upstream)),
    endpoints: Object.assign({}, ...parts.map(({ endpoints }) => endpoints)),
    grantTypes: new Set(parts.flatMap(({ grantTypes = [] }) => grantTypes)),
    responseTypes: new Set<ResponseType>(['code', ...parts.flatMap(({ responseTypes = [] }) => responseTypes)]),
    clientMetadata: (metadata) => Object.assign({}, ...parts.map((part) => part.clientMetadata?.(metadata))),
    switchedOff: (metadata) => switchedOff(metadata, config),
    refuse: (metadata) => refusalOf(metadata, config),
  };
};
