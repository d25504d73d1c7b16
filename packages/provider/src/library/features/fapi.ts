import { isLoopbackHost } from '@carnet/adapter-contract/kit';
import { isAhead, type UnverifiedJws } from '@carnet/signer-contract/jws';
import type { RegisteredMetadata } from '../../clients/client-schema.ts';
import { fieldError } from '../../errors.ts';
import type { FeaturesConfig } from './config.ts';
import type { Feature } from './feature.ts';

/** FAPI 2.0 Security Profile, section 5.3.2.1, 13: clocks differ by seconds, not by minutes. */
const maxAheadSeconds = 60;

/**
 * The problem of a client's JWT of the future in FAPI mode. oidc-provider looks at the `iat` of a request object only if that
 * does not expire.
 */
export const problemOfTimes = (
  { fapi: { enabled } }: Pick<FeaturesConfig, 'fapi'>,
  claims: UnverifiedJws['claims'],
  nowMs: number,
): string | undefined =>
  enabled && isAhead(claims, Math.floor(nowMs / 1000), maxAheadSeconds)
    ? `iat and nbf must not be more than ${maxAheadSeconds} seconds ahead`
    : undefined;

type Profile = NonNullable<FeaturesConfig['fapi']['profile']>;

/**
 * FAPI 2.0 Security Profile, section 5.4.1; FAPI 1.0 Advanced, section 8.6. RS256 is left out; Ed25519 is EdDSA by its
 * full name.
 */
const algorithms: Readonly<Record<Profile, readonly string[]>> = {
  '1.0 Final': ['PS256', 'ES256'],
  '2.0': ['PS256', 'ES256', 'EdDSA', 'Ed25519'],
};
/** FAPI 2.0, section 5.3.2.1, 6; FAPI 1.0 Advanced, section 5.2.2, 14. */
const authMethods = new Set(['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth']);

/** Reduces lists of signing algorithms, and of methods of client authentication, to those that FAPI mode allows. */
export const allowedBy = ({ enabled, profile = '2.0' }: FeaturesConfig['fapi']) => ({
  algorithms: <const T extends string>(names: readonly T[]): T[] =>
    names.filter((name) => !enabled || algorithms[profile].includes(name)),
  authMethods: (names: readonly string[]): string[] => names.filter((name) => !enabled || authMethods.has(name)),
});

/**
 * https (FAPI 1.0 Baseline, section 5.2.2, 20), or in FAPI 2.0 the loopback interface of the user's own machine (section
 * 5.3.2.2, 8).
 */
const isAllowedRedirect =
  (profile: Profile) =>
  (uri: string): boolean => {
    const url = URL.parse(uri);
    return (
      url?.protocol === 'https:' || (profile === '2.0' && url?.protocol === 'http:' && isLoopbackHost(url.hostname))
    );
  };

/**
 * The rules of a profile for clients: a member, whether it is as required, and the problem otherwise. Only the first problem
 * is reported.
 */
const rules = (
  profile: Profile,
): readonly (readonly [keyof RegisteredMetadata, (metadata: RegisteredMetadata) => boolean, string])[] => [
  [
    'token_endpoint_auth_method',
    ({ token_endpoint_auth_method: method }) => authMethods.has(method),
    'must be private_key_jwt, tls_client_auth or self_signed_tls_client_auth',
  ],
  profile === '2.0'
    ? [
        'dpop_bound_access_tokens',
        ({ dpop_bound_access_tokens: byProof, tls_client_certificate_bound_access_tokens: byCertificate }) =>
          byProof === true || byCertificate === true,
        'or tls_client_certificate_bound_access_tokens must be true',
      ]
    : [
        'tls_client_certificate_bound_access_tokens',
        ({ tls_client_certificate_bound_access_tokens: isBound }) => isBound === true,
        'must be true',
      ],
  [
    'redirect_uris',
    ({ redirect_uris: uris }) => uris.every(isAllowedRedirect(profile)),
    `must hold https URLs${profile === '2.0' ? ', or http URLs of the loopback interface' : ''}`,
  ],
];

const names = { '1.0 Final': 'FAPI 1.0 Advanced', '2.0': 'FAPI 2.0 Security Profile' } as const;

/**
 * The requirements of the FAPI 2.0 Security Profile or of FAPI 1.0 Advanced for authorization servers.
 * `config/fapi-rules.ts` checks at startup which other settings a profile needs. The profile also applies to
 * clients that were registered before it was enabled.
 */
export const fapi: Feature = {
  refuse: (metadata, { fapi: { profile = '2.0' } }) => {
    const broken = rules(profile).find(([, holds]) => !holds(metadata));
    return broken && fieldError(broken[0], `${broken[2]} (${names[profile]}).`);
  },
  create: ({ options }) => {
    const { dpop, mtls, fapi } = options.features;
    const { profile = '2.0' } = fapi;
    return {
      upstream: { fapi: { enabled: true, profile } },
      clientMetadata: (metadata) => {
        // No unbound token is issued: a client without certificate-bound tokens needs DPoP.
        const byCertificate =
          profile === '1.0 Final' ||
          (mtls.enabled && (metadata.tls_client_certificate_bound_access_tokens || !dpop.enabled));
        return {
          require_pushed_authorization_requests: profile === '2.0' || metadata.require_pushed_authorization_requests,
          redirect_uris: metadata.redirect_uris.filter(isAllowedRedirect(profile)),
          tls_client_certificate_bound_access_tokens: byCertificate === true,
          dpop_bound_access_tokens: byCertificate !== true,
        };
      },
    };
  },
};
