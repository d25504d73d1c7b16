import { randomBytes } from 'node:crypto';
import { errors, type Provider } from 'oidc-provider';
import { secretAuthMethods } from '../clients/client-fields.ts';
import type { ClientRecord } from '../clients/client-record.ts';
import type { RegisteredMetadata } from '../clients/client-schema.ts';
import { applicationTypeOf } from '../clients/parse-client.ts';
import { CarnetError } from '../errors.ts';
import { spaceDelimited } from '../text/space-delimited.ts';

export type ProviderClient = NonNullable<Awaited<ReturnType<Provider['Client']['find']>>>;

/** oidc-provider requires a secret. This random one is known to no client, so nothing can be forged with it. */
const unknownSecret = randomBytes(48).toString('base64url');

/**
 * The grant types that no feature adds. Other registered grant types are kept, but not offered unless a feature adds
 * them.
 */
const grantTypes = new Set(['authorization_code', 'refresh_token', 'client_credentials']);

/** The part of the features that decides about clients. */
export interface ClientFeatures {
  /** Grant types that a client may be registered for, beside those that no feature adds. */
  readonly grantTypes: ReadonlySet<string>;
  readonly responseTypes: ReadonlySet<string>;
  /** Members of a client's metadata that oidc-provider gets with another value than the registered one. */
  clientMetadata(metadata: RegisteredMetadata): Readonly<Record<string, unknown>>;
  /** The problem of a client whose metadata uses a feature that is switched off. Such a client is not served. */
  switchedOff(metadata: RegisteredMetadata): CarnetError | undefined;
  /** The problem for which a client is not registered. */
  refuse(metadata: RegisteredMetadata): CarnetError | undefined;
}

/** The grant type that a value of a response type requires (OpenID Connect Registration 1.0, section 2). */
const grantTypeOf = (word: string): string => (word === 'code' ? 'authorization_code' : 'implicit');

/** Grant types that need a response type. */
const forRedirects = new Set(['authorization_code', 'implicit']);

/** The grant types and response types that a client is registered for, if they are enabled and fit together. */
const offeredTypes = (metadata: RegisteredMetadata, features: ClientFeatures) => {
  const { grant_types, response_types, redirect_uris, token_endpoint_auth_method } = metadata;
  const usable = (grant_types.length > 0 ? grant_types : ['authorization_code'])
    .filter((type) => grantTypes.has(type) || features.grantTypes.has(type))
    // A client that is not authenticated gets no tokens for itself (RFC 6749, section 4.4).
    .filter((type) => type !== 'client_credentials' || token_endpoint_auth_method !== 'none');
  const registered = response_types.length > 0 ? response_types : ['code'];
  const offered = (redirect_uris.length > 0 ? registered : [])
    .map((type) => spaceDelimited(type).toSorted())
    .filter((words) => features.responseTypes.has(words.join(' ')))
    .filter((words) => words.every((word) => usable.includes(grantTypeOf(word))));
  const needed = new Set(offered.flat().map(grantTypeOf));
  return {
    grant_types: usable.filter((type) => !forRedirects.has(type) || needed.has(type)),
    response_types: offered.map((words) => words.join(' ')),
  };
};

/** Members that oidc-provider gets as they are registered. It ignores those of features that are switched off. */
const sameMembers = [
  'redirect_uris',
  'token_endpoint_auth_method',
  'subject_type',
  'require_auth_time',
  'default_max_age',
  'jwks_uri',
  'require_pushed_authorization_requests',
  'require_signed_request_object',
  'dpop_bound_access_tokens',
  'authorization_signed_response_alg',
  'authorization_encrypted_response_alg',
  'authorization_encrypted_response_enc',
  'id_token_encrypted_response_alg',
  'id_token_encrypted_response_enc',
  'userinfo_encrypted_response_alg',
  'userinfo_encrypted_response_enc',
  'tls_client_certificate_bound_access_tokens',
  'tls_client_auth_subject_dn',
  'tls_client_auth_san_dns',
  'tls_client_auth_san_uri',
  'tls_client_auth_san_ip',
  'tls_client_auth_san_email',
] as const satisfies readonly (keyof RegisteredMetadata)[];

/**
 * A client's metadata as oidc-provider understands it. Scopes are left out: they are checked against the record, for
 * any scope that the client has registered, and not only those the provider knows.
 */
const providerMetadata = (
  { id, metadata }: Pick<ClientRecord, 'id' | 'metadata'>,
  features: ClientFeatures,
  idTokenAlg: string,
) => {
  const authMethod = metadata.token_endpoint_auth_method;
  return {
    ...Object.fromEntries(sameMembers.map((name) => [name, metadata[name]])),
    ...offeredTypes(metadata, features),
    client_id: id,
    application_type: applicationTypeOf(metadata),
    // Other methods sign nothing, and oidc-provider refuses an algorithm beside them.
    token_endpoint_auth_signing_alg:
      authMethod === 'private_key_jwt' ? metadata.token_endpoint_auth_signing_alg : undefined,
    id_token_signed_response_alg: metadata.id_token_signed_response_alg ?? idTokenAlg,
    userinfo_signed_response_alg:
      metadata.userinfo_signed_response_alg === 'none' ? undefined : metadata.userinfo_signed_response_alg,
    // oidc-provider only needs to know that there is one. Whether http is allowed is decided where it is fetched.
    sector_identifier_uri: metadata.sector_identifier_uri?.replace(/^http:/i, 'https:'),
    client_secret: secretAuthMethods.includes(authMethod) ? unknownSecret : undefined,
    jwks: 'keys' in metadata.jwks ? metadata.jwks : undefined,
    ...features.clientMetadata(metadata),
  };
};

const records = new WeakMap<object, ClientRecord>();

/** The record behind oidc-provider's client. */
export const recordOf = (client: object): ClientRecord => {
  const record = records.get(client);
  if (record === undefined) throw new CarnetError('server_error', 'a client of unknown origin');
  return record;
};

/**
 * Whether a client may authenticate by a method: only by its registered one (OpenID Connect Registration 1.0,
 * `token_endpoint_auth_method`). A client that has registered none may send its secret in either place, because both
 * prove the same.
 */
export const mayAuthenticateBy = (client: ProviderClient, method: string): boolean =>
  client.clientAuthMethod === method ||
  (recordOf(client).isAuthMethodOpen === true &&
    secretAuthMethods.includes(method) &&
    secretAuthMethods.includes(String(client.clientAuthMethod)));

interface ClientConstructor {
  new (metadata: object): ProviderClient;
  find(id: unknown): Promise<ProviderClient | undefined>;
}

/** @throws CarnetError `invalid_client_metadata` for metadata that oidc-provider refuses */
const assertConstructs = (Client: ClientConstructor, metadata: object): void => {
  try {
    new Client(metadata);
  } catch (error) {
    if (!(error instanceof errors.InvalidClientMetadata)) throw error;
    const { error_description: problem = 'client metadata is invalid' } = error;
    // The library's messages begin with the name of the member.
    throw new CarnetError('invalid_client_metadata', problem, { cause: error, field: problem.split(' ', 1)[0] });
  }
};

/**
 * Makes oidc-provider find clients in Carnet's cache. A client is instantiated once for each record object. (oidc-provider's
 * own cache holds a hundred clients and hashes their JSON at each request.)
 */
export const adoptClients = (
  provider: Provider,
  deps: {
    readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
    readonly options: { readonly idTokenAlg: string };
    /** For tests of the cache. */
    readonly counts: { clientInstantiations: number };
  },
  features: ClientFeatures,
) => {
  const { clients, options, counts } = deps;
  const instances = new WeakMap<ClientRecord, ProviderClient>();
  const metadataOf = (record: Pick<ClientRecord, 'id' | 'metadata'>) =>
    providerMetadata(record, features, options.idTokenAlg);
  const Client = provider.Client as unknown as ClientConstructor;

  const instantiate = (record: ClientRecord): ProviderClient => {
    // The client was registered while the feature was on: without its protection it would be less safe than not served.
    const off = features.switchedOff(record.metadata);
    if (off !== undefined) throw new errors.InvalidClientMetadata(off.description);
    const client = new Client(metadataOf(record));
    counts.clientInstantiations += 1;
    instances.set(record, client);
    records.set(client, record);
    return client;
  };

  const find = async (id: unknown): Promise<ProviderClient | undefined> => {
    const record = typeof id === 'string' && id !== '' ? await clients.find(id) : undefined;
    return record && of(record);
  };

  /** oidc-provider's client of a record. @throws `InvalidClientMetadata` if it needs a feature that is switched off */
  const of = (record: ClientRecord): ProviderClient => instances.get(record) ?? instantiate(record);

  Client.find = find;
  return {
    find,
    of,
    /** @throws CarnetError `invalid_client_metadata` for metadata that oidc-provider refuses */
    async validate(record: Pick<ClientRecord, 'id' | 'metadata'>): Promise<void> {
      const refusal = features.refuse(record.metadata);
      if (refusal !== undefined) throw refusal;
      assertConstructs(Client, metadataOf(record));
    },
  };
};

export type ProviderClients = ReturnType<typeof adoptClients>;
