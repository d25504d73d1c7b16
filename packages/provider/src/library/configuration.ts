import { type Configuration, ExternalSigningKey, interactionPolicy } from 'oidc-provider';
import { encryptionAlgorithm } from '../clients/client-fields.ts';
import { clockSkewSeconds } from '../clock.ts';
import type { Signer, SigningAlgorithm } from '../keys/signing/signer.ts';
import type { SigningKeys } from '../keys/signing/signing-keys.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import { createFetchKeys } from './client-keys.ts';
import type { FeaturesConfig } from './features/config.ts';
import { allowedBy } from './features/fapi.ts';
import type { ComposedFeatures } from './features/index.ts';
import type { Paths } from './paths.ts';

/** A public key: Carnet signs (`tokens/`). Its members have setters upstream, though its types call them read-only. */
const verificationKey = ({ kid, alg, publicKey }: Signer): ExternalSigningKey =>
  Object.assign(new ExternalSigningKey(), { kid, alg, keyObject: () => publicKey });

const switched = (names: string, enabled: boolean) =>
  Object.fromEntries(names.split(' ').map((name) => [name, { enabled }]));

/** Every feature with a default in oidc-provider is set here, so that an upgrade of oidc-provider changes no feature. */
const always = {
  ...switched('clientCredentials revocation userinfo jwtUserinfo', true),
  ...switched('devInteractions introspection rpInitiatedLogout pushedAuthorizationRequests', false),
  ...switched('resourceIndicators requestObjects dPoP mTLS', false),
  externalSigningSupport: { enabled: true, ack: 'experimental-01' },
};

/** The storage of oidc-provider's models. It stores nothing. */
const modelStorage = { find: async () => undefined, upsert: async () => undefined };
/** Only the names of its prompts are read. All issuers share it. */
const interactions = { policy: interactionPolicy.base() };

export interface ConfigurationDependencies {
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

/** For assertions and request objects. No HMAC: secrets are stored as hashes, so nothing can be keyed with them. */
export const clientAlgorithms = ({ features: { fapi } }: Pick<Options, 'features'>) =>
  allowedBy(fapi).algorithms(['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']);

/** oidc-provider ignores the algorithms of features that are switched off. */
const algorithmsOf = (options: Options): Configuration['enabledJWA'] => {
  const { fapi } = options.features;
  const { algorithms } = allowedBy(fapi);
  const ofClients = clientAlgorithms(options);
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
  { options, signingKeys, outbound }: ConfigurationDependencies,
  { routes }: Pick<Paths, 'routes'>,
  { upstream, responseTypes }: Pick<ComposedFeatures, 'upstream' | 'responseTypes'>,
): Configuration => {
  const { idTokenAlg } = options;
  return {
    adapter: (() => modelStorage) as never,
    jwks: { keys: signingKeys.signers.map(verificationKey) } as never,
    features: { ...always, ...upstream } as never,
    interactions,
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
  };
};
