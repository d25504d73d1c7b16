import { type Configuration, errors } from 'oidc-provider';
import type { RegisteredMetadata } from '../../clients/client-schema.ts';
import { fieldError } from '../../errors.ts';
import { isLoopbackHost } from '../../http/config.ts';
import type { Feature, FeatureDependencies } from './feature.ts';
import { assertNotFromTheFuture, refuseFutureProofs } from './issued-at.ts';

/** Section 5.4.1. RS256 is left out; Ed25519 is EdDSA by its full name. */
const algorithms = new Set(['PS256', 'ES256', 'EdDSA', 'Ed25519']);
/** Section 5.3.2.1, 6. */
const authMethods = new Set(['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth']);

const allowed = <T>(values: Iterable<T> | undefined, known: ReadonlySet<unknown>): T[] =>
  [...(values ?? [])].filter((value) => known.has(value));

/** Named here, because the defaults of oidc-provider hold RS256 and more. */
const proofAlgorithms = ['PS256', 'ES256', 'EdDSA', 'Ed25519'];

type ClaimsCheck = (ctx: unknown, claims: Readonly<Record<string, unknown>>, ...more: unknown[]) => unknown;

/** oidc-provider looks at the `iat` of a request object only if that does not expire. */
const withoutFuture = ({ features = {} }: Configuration, seconds: () => number): object => {
  const { requestObjects } = features as { requestObjects?: { assertJwtClaimsAndHeader?: ClaimsCheck } };
  const assertJwtClaimsAndHeader: ClaimsCheck = async (ctx, claims, ...more) => {
    await requestObjects?.assertJwtClaimsAndHeader?.(ctx, claims, ...more);
    assertNotFromTheFuture(claims, seconds(), (text) => new errors.InvalidRequestObject(text));
  };
  return { ...features, requestObjects: { ...requestObjects, assertJwtClaimsAndHeader } };
};

const restrict = ({ options, now }: FeatureDependencies) => {
  const seconds = () => Math.floor(now() / 1000);
  return (configuration: Configuration): Configuration => {
    const { enabledJWA = {}, assertJwtClientAuthClaimsAndHeader: assertClaims } = configuration;
    const signing = Object.entries({ dPoPSigningAlgValues: proofAlgorithms, ...enabledJWA }).map(
      ([name, values]) =>
        [name, name.includes('SigningAlg') ? allowed<unknown>(values as [], algorithms) : values] as const,
    );
    return {
      ...configuration,
      features: withoutFuture(configuration, seconds),
      clientAuthMethods: allowed(configuration.clientAuthMethods, authMethods) as never,
      enabledJWA: Object.fromEntries(signing) as never,
      // 5.3.2.2, 5.
      pkce: { required: () => true },
      assertJwtClientAuthClaimsAndHeader: async (ctx, claims, header, client) => {
        await assertClaims?.(ctx, claims, header, client);
        // 5.3.2.1, 8: the issuer, as a string. A list may also name another server.
        if (claims.aud !== options.issuer) {
          throw new errors.InvalidClientAuth('audience (aud) must be the issuer, as a string' as never);
        }
        assertNotFromTheFuture(claims, seconds(), (text) => new errors.InvalidClientAuth(text as never));
      },
    };
  };
};

/** 5.3.2.2, 8: https, or the loopback interface of the user's own machine. */
const isAllowedRedirect = (uri: string): boolean => {
  const url = URL.parse(uri);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
};

const isBound = ({ dpop_bound_access_tokens, tls_client_certificate_bound_access_tokens }: RegisteredMetadata) =>
  dpop_bound_access_tokens === true || tls_client_certificate_bound_access_tokens === true;

interface ClientRule {
  readonly holds: (metadata: RegisteredMetadata) => boolean;
  readonly field: keyof RegisteredMetadata;
  readonly problem: string;
}

/** The rules of the profile for clients. The first one that a client breaks is reported. */
const rules: readonly ClientRule[] = [
  {
    holds: ({ token_endpoint_auth_method: method }) => authMethods.has(method),
    field: 'token_endpoint_auth_method',
    problem: 'must be private_key_jwt, tls_client_auth or self_signed_tls_client_auth',
  },
  {
    holds: isBound,
    field: 'dpop_bound_access_tokens',
    problem: 'or tls_client_certificate_bound_access_tokens must be true',
  },
  {
    holds: ({ redirect_uris: uris }) => uris.every(isAllowedRedirect),
    field: 'redirect_uris',
    problem: 'must hold https URLs, or http URLs of the loopback interface',
  },
];

/**
 * The requirements of the FAPI 2.0 Security Profile for authorization servers. `config/fapi-rules.ts` checks at startup
 * which other settings it needs. It also applies to clients that were registered before it was enabled.
 */
export const fapi: Feature = {
  name: 'fapi',
  refuse: (metadata) => {
    const broken = rules.find(({ holds }) => !holds(metadata));
    return broken && fieldError(broken.field, `${broken.problem} (FAPI 2.0 Security Profile).`);
  },
  create: (deps) => ({
    upstream: { fapi: { enabled: true, profile: '2.0' } },
    restrict: restrict(deps),
    middleware: refuseFutureProofs(() => Math.floor(deps.now() / 1000)),
    clientMetadata: (metadata) => {
      const { dpop, mtls } = deps.options.features;
      // A token that is bound to nothing is not issued: without a certificate there has to be a proof.
      const byCertificate = mtls.enabled && (metadata.tls_client_certificate_bound_access_tokens || !dpop.enabled);
      return {
        require_pushed_authorization_requests: true,
        redirect_uris: metadata.redirect_uris.filter(isAllowedRedirect),
        tls_client_certificate_bound_access_tokens: byCertificate === true,
        dpop_bound_access_tokens: byCertificate !== true,
      };
    },
  }),
};
