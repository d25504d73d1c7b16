import type { z } from 'zod';
import { CarnetError, fieldError } from '../errors.ts';
import { fieldMessage } from '../validation.ts';
import { type ClientLifespans, clientBody, lifespansBody, type RegisteredMetadata } from './client-schema.ts';

/** The parsed request to create or replace a client. */
export interface ClientInput {
  /** Undefined: generate one. */
  readonly id: string | undefined;
  /** Undefined: generate one, or keep the present one. */
  readonly secret: string | undefined;
  /**
   * bcrypt or PBKDF2 hashes from another server: of the current secret, then of rotated ones. Empty: none. Never beside
   * `secret`. Only for administrators: a client that registers itself may not choose its secret.
   */
  readonly secretHashes: readonly string[];
  /** Whether the input names a `token_endpoint_auth_method`. If not, the metadata have the default. */
  readonly choosesAuthMethod: boolean;
  readonly metadata: RegisteredMetadata;
}

const refuse = (problem: string): CarnetError => new CarnetError('invalid_client_metadata', problem);

const describeIssue = ({ path, message }: z.core.$ZodIssue): string =>
  path.length === 0 ? `The client ${message}.` : `Field ${path.map(String).join('.')} ${message}.`;

const parse = <T extends z.ZodType>(schema: T, value: unknown): z.output<T> => {
  const result = schema.safeParse(value, { error: fieldMessage });
  if (result.success) return result.data;
  const { issues } = result.error;
  throw new CarnetError('invalid_client_metadata', issues.slice(0, 5).map(describeIssue).join(' '), {
    field: issues[0]?.path[0]?.toString(),
  });
};

/** Whether a client has registered public keys, or the URL of its JWKS. */
export const hasKeys = ({ jwks, jwks_uri }: Pick<RegisteredMetadata, 'jwks' | 'jwks_uri'>): boolean =>
  jwks_uri !== undefined || 'keys' in jwks;

type Metadata = Pick<RegisteredMetadata, 'application_type' | 'redirect_uris'>;

/** A redirect URI that only a program on the user's own machine receives (RFC 8252, section 7.1). */
const isCustomScheme = (uri: string): boolean => !/^https?:/i.test(uri);

/** The type of a client that registers none follows from its redirect URIs. */
export const applicationTypeOf = ({ application_type, redirect_uris }: Metadata): 'native' | 'web' =>
  application_type ?? (redirect_uris.some(isCustomScheme) ? 'native' : 'web');

/** Whether a web client that gets tokens in redirects may not have this URI (OpenID Connect Registration 1.0, section 2). */
const isUnfitForTokens = (uri: string): boolean => {
  const url = URL.parse(uri);
  return url?.protocol === 'http:' || url?.hostname === 'localhost';
};

const bringsTokens = (responseType: string): boolean =>
  responseType.split(' ').some((word) => word === 'token' || word === 'id_token');

/**
 * Whether oidc-provider would refuse each request of this client while the implicit or the hybrid flow is on. Such a client is
 * refused at registration, even while these flows are off.
 */
const hasUnfitRedirects = (metadata: Metadata & Pick<RegisteredMetadata, 'grant_types' | 'response_types'>): boolean =>
  metadata.grant_types.includes('implicit') &&
  metadata.response_types.some(bringsTokens) &&
  applicationTypeOf(metadata) === 'web' &&
  metadata.redirect_uris.some(isUnfitForTokens);

/** @throws CarnetError `invalid_client_metadata` when members of the client contradict each other */
const assertConsistent = (client: RegisteredMetadata): void => {
  const { jwks, jwks_uri, token_endpoint_auth_method: method } = client;
  if (jwks_uri !== undefined && 'keys' in jwks) {
    throw refuse('Fields jwks and jwks_uri can not both be set, choose one.');
  }
  if (method === 'private_key_jwt' && !hasKeys(client)) {
    throw refuse('When token_endpoint_auth_method is private_key_jwt, either jwks or jwks_uri must be set.');
  }
  if (hasUnfitRedirects(client)) {
    throw fieldError(
      'redirect_uris',
      "must hold https URLs off localhost, because the client gets tokens in redirects (implicit in grant_types). Use https, set application_type to native for a program on the user's machine, or leave implicit out of grant_types.",
    );
  }
  // RFC 6749 section 4.4: only a client that authenticates may act on its own behalf.
  if (method === 'none' && client.grant_types.includes('client_credentials')) {
    throw refuse(
      'A client whose token_endpoint_auth_method is none cannot have client_credentials in grant_types: any caller that knows its client_id would get its tokens. Leave the grant type out, or choose a method that authenticates the client.',
    );
  }
};

/**
 * Parses the body of a request to create or replace a client. Unknown fields are ignored, as in Hydra.
 * @throws CarnetError `invalid_client_metadata`, which names the fields and never quotes a value
 */
export const parseClient = (value: unknown): ClientInput => {
  const { client_id: id, client_secret: secret, client_secret_hash: hash, ...metadata } = parse(clientBody, value);
  if (secret !== undefined && hash !== undefined) {
    throw refuse('Fields client_secret and client_secret_hash can not both be set, choose one.');
  }
  assertConsistent(metadata);
  const { token_endpoint_auth_method: method } = value as { readonly token_endpoint_auth_method?: unknown };
  const choosesAuthMethod = method !== undefined && method !== null && method !== '';
  return { id, secret, secretHashes: hash === undefined ? [] : [hash].flat(), choosesAuthMethod, metadata };
};

/**
 * Parses the 13 lifespans. A lifespan that is not given is `null`.
 * @throws CarnetError `invalid_client_metadata`
 */
export const parseLifespans = (value: unknown): ClientLifespans => parse(lifespansBody, value);
