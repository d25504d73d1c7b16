import { type Configuration, ExternalSigningKey, errors } from 'oidc-provider';
import { encryptionAlgorithm } from '../clients/client-fields.ts';
import { type Clock, clockSkewSeconds } from '../clock.ts';
import type { Signer, SigningAlgorithm } from '../keys/signing/signer.ts';
import type { SigningKeys } from '../keys/signing/signing-keys.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import { findingsOf } from './asked-context.ts';
import { createFetchKeys } from './client-keys.ts';
import type { FeaturesConfig } from './features/config.ts';
import { allowedBy, problemOfTimes } from './features/fapi.ts';
import type { ComposedFeatures } from './features/index.ts';
import type { Paths } from './paths.ts';
import { replayClaim } from './replay.ts';

/** A public key: Carnet signs (`tokens/`). Its members have setters upstream, though its types call them read-only. */
const verificationKey = ({ kid, alg, publicKey }: Signer): ExternalSigningKey =>
  Object.assign(new ExternalSigningKey(), { kid, alg, keyObject: () => publicKey });

/**
 * Every feature with a default in oidc-provider is set here, so that an upgrade of oidc-provider changes no feature.
 */
const always = {
  devInteractions: { enabled: false },
  clientCredentials: { enabled: true },
  revocation: { enabled: true },
  userinfo: { enabled: true },
  jwtUserinfo: { enabled: true },
  introspection: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  resourceIndicators: { enabled: false },
  requestObjects: { enabled: false },
  dPoP: { enabled: false },
  mTLS: { enabled: false },
  externalSigningSupport: { enabled: true, ack: 'experimental-01' },
} as const;

const nothing = async (): Promise<undefined> => undefined;

/** The storage of oidc-provider's models. It stores nothing: the use of a client assertion is a finding. */
const modelStorage = { find: nothing, upsert: nothing };

/** Seconds: how far ahead a client assertion may expire. */
const maxAssertionSeconds = 86_400;

export interface ConfigurationDependencies extends Clock {
  readonly options: {
    readonly issuer: string;
    readonly idTokenAlg: SigningAlgorithm;
    readonly subjectTypes: readonly ('public' | 'pairwise')[];
    readonly certificatesAreVerified: boolean;
    readonly features: FeaturesConfig;
  };
  readonly signingKeys: SigningKeys;
  readonly outbound: Pick<OutboundClient, 'send'>;
}

type Options = ConfigurationDependencies['options'];

/**
 * No HMAC algorithm: secrets are stored as hashes, so nothing can be keyed with them. oidc-provider ignores the algorithms of
 * features that are switched off.
 */
const algorithmsOf = ({ features: { fapi } }: Options): Configuration['enabledJWA'] => {
  const { algorithms } = allowedBy(fapi);
  const ofClients = algorithms(['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']);
  const ours = algorithms(['RS256', 'ES256', 'EdDSA']);
  const encryption = [...encryptionAlgorithm.options];
  const content = ['A128GCM', 'A256GCM', 'A128CBC-HS256', 'A256CBC-HS512'] as const;
  return {
    clientAuthSigningAlgValues: ofClients,
    requestObjectSigningAlgValues: ofClients,
    // The defaults of oidc-provider have none of RSA.
    ...(fapi.enabled ? { dPoPSigningAlgValues: algorithms(['PS256', 'ES256', 'EdDSA', 'Ed25519']) } : {}),
    idTokenSigningAlgValues: ours,
    userinfoSigningAlgValues: ours,
    authorizationSigningAlgValues: ours,
    idTokenEncryptionAlgValues: encryption,
    idTokenEncryptionEncValues: content,
    userinfoEncryptionAlgValues: encryption,
    userinfoEncryptionEncValues: content,
    authorizationEncryptionAlgValues: encryption,
    authorizationEncryptionEncValues: content,
    // There is no key of ours to encrypt requests to.
    requestObjectEncryptionAlgValues: [],
    requestObjectEncryptionEncValues: [],
  };
};

const authMethodsOf = ({ features: { fapi, mtls }, certificatesAreVerified }: Options) =>
  allowedBy(fapi).authMethods([
    'client_secret_basic',
    'client_secret_post',
    'private_key_jwt',
    'none',
    ...(mtls.enabled && certificatesAreVerified ? ['tls_client_auth'] : []),
    ...(mtls.enabled ? ['self_signed_tls_client_auth'] : []),
  ]);

export const createConfiguration = (
  { options, signingKeys, outbound, now }: ConfigurationDependencies,
  { routes }: Pick<Paths, 'routes'>,
  { upstream, responseTypes }: Pick<ComposedFeatures, 'upstream' | 'responseTypes'>,
): Configuration => {
  const { issuer, idTokenAlg, features } = options;
  return {
    adapter: (() => modelStorage) as never,
    jwks: { keys: signingKeys.signers.map(verificationKey) } as never,
    features: { ...always, ...upstream } as never,
    clockTolerance: clockSkewSeconds,
    fetch: createFetchKeys(outbound) as never,
    routes,
    subjectTypes: [...options.subjectTypes],
    clientAuthMethods: authMethodsOf(options) as never,
    enabledJWA: algorithmsOf(options),
    clientDefaults: { id_token_signed_response_alg: idTokenAlg, authorization_signed_response_alg: idTokenAlg },
    responseTypes: [...responseTypes],
    scopes: ['openid', 'offline_access', 'offline'],
    claims: { openid: ['sub', 'auth_time', 'acr', 'amr', 'sid'] },
    extraParams: ['audience', 'authorization_details'],
    // Called last, once the assertion is verified.
    assertJwtClientAuthClaimsAndHeader: async (ctx, claims) => {
      const refused = (problem: string) => new errors.InvalidClientAuth(problem as never);
      const { iss, jti, aud, exp } = claims;
      // Its `jti` has to be remembered until then.
      if (Number(exp) > now() / 1000 + maxAssertionSeconds + clockSkewSeconds)
        throw refused(`client assertions must expire within ${maxAssertionSeconds} seconds`);
      // FAPI 2.0, section 5.3.2.1, 8: the issuer, as a string. A list may also name another server.
      if (features.fapi.profile === '2.0' && aud !== issuer)
        throw refused('audience (aud) must be the issuer, as a string');
      const problem = problemOfTimes(features, claims, now());
      if (problem !== undefined) throw refused(problem);
      findingsOf(ctx).proofs.push(replayClaim(String(iss), jti, Number(exp) + clockSkewSeconds));
    },
  };
};
