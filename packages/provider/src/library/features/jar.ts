import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import type { RegisteredMetadata } from '../../clients/client-schema.ts';
import { hasKeys } from '../../clients/parse-client.ts';
import { problemOf } from '../request-limits.ts';
import { problemOfTimes } from './fapi.ts';
import type { Feature, FeatureDependencies } from './feature.ts';

/** Seconds: how far ahead a request object may expire, and how long it may be valid from `nbf` to `exp`. */
const maxLifetimeSeconds = 3_600;

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/**
 * The claims that a request object must have beside `iss` and `aud`, which oidc-provider always asks for: at the
 * backchannel authentication endpoint those of OpenID CIBA Core, section 7.1.1; at the authorization endpoint the
 * `client_id` (RFC 9101, section 6.3); in FAPI mode those of FAPI 2.0 Message Signing, section 5.3.1, and of FAPI 1.0
 * Advanced, section 5.2.2, 13 and 17.
 */
const requiredClaims = ({ oidc }: KoaContextWithOIDC): readonly string[] => {
  if (oidc.route === 'backchannel_authentication') return ['exp', 'iat', 'nbf', 'jti'];
  const named = oidc.route === 'authorization' ? ['client_id'] : [];
  return oidc.fapiProfile === undefined ? named : [...named, 'exp', 'nbf'];
};

/**
 * Every request object must pass this check before its claims are used as parameters: the limits of the same parameters
 * in a URL apply to them (D10).
 */
const createRequestObjectCheck =
  ({ options, now }: FeatureDependencies) =>
  (ctx: KoaContextWithOIDC, claims: Readonly<Record<string, unknown>>): void => {
    for (const [name, value] of Object.entries(claims)) {
      const problem = problemOf(name, asText(value));
      if (problem) throw new errors.InvalidRequestObject(problem);
    }
    const missing = requiredClaims(ctx).find((name) => claims[name] === undefined);
    if (missing !== undefined) throw new errors.InvalidRequestObject(`the request object has no ${missing} claim`);
    // FAPI 1.0 Advanced, section 5.2.2, 10: `scope` is not taken from another place.
    if (ctx.oidc.isFapi('1.0 Final') && !claims.scope)
      throw new errors.InvalidRequest('the request object has no scope');
    const { nbf, exp } = claims;
    const beginsAt = Math.min(now() / 1000, typeof nbf === 'number' ? nbf : Number.POSITIVE_INFINITY);
    if (typeof exp === 'number' && exp - beginsAt > maxLifetimeSeconds)
      throw new errors.InvalidRequestObject(`request objects must not live longer than ${maxLifetimeSeconds} seconds`);
    const problem = problemOfTimes(options.features, claims, now());
    if (problem !== undefined) throw new errors.InvalidRequestObject(problem);
  };

const isSigning = (alg: unknown, metadata: RegisteredMetadata): boolean => alg !== 'none' && hasKeys(metadata);

/**
 * The algorithm that oidc-provider enforces for a client. oidc-provider requires keys from each client with an
 * algorithm, and Hydra's command line sends one for every client. Safe to leave out without keys, because no signature
 * of such a client verifies. `none` is left out because `library/ask.ts` enforces it. A client that must sign
 * its requests keeps its registered value, so that oidc-provider refuses the client without keys or with `none`.
 */
const enforcedAlgorithm = (metadata: RegisteredMetadata): string | undefined => {
  const { request_object_signing_alg: alg, require_signed_request_object: isRequired } = metadata;
  return isRequired === true || isSigning(alg, metadata) ? alg : undefined;
};

/** Request objects (RFC 9101), signed by the client: in the parameter `request`, or at the URL in `request_uri`. */
export const jar: Feature = {
  clientFields: {
    request_object_signing_alg: isSigning,
    require_signed_request_object: Boolean,
    backchannel_authentication_request_signing_alg: Boolean,
  },
  create: (deps) => ({
    upstream: {
      requestObjects: {
        enabled: true,
        // FAPI 1.0 Advanced, section 5.2.2, 1.
        requireSignedRequestObject:
          deps.options.features.jar.required || deps.options.features.fapi.profile === '1.0 Final',
        assertJwtClaimsAndHeader: createRequestObjectCheck(deps),
      },
    },
    clientMetadata: (metadata) => ({ request_object_signing_alg: enforcedAlgorithm(metadata) }),
  }),
};
