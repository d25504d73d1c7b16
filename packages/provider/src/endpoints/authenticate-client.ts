import type { ClientRecord } from '../clients/client-record.ts';
import type { SecretVerifier } from '../clients/secret-verifier.ts';
import { basicCredentialsIn } from '../library/basic-credentials.ts';
import { mayAuthenticateBy, type ProviderClient, recordOf } from '../library/clients.ts';
import type { FindClient } from '../library/find-client.ts';
import type { EndpointRequest } from './endpoint.ts';

/** How a request identifies its client (RFC 6749, section 2.3.1). */
interface ClientCredentials {
  readonly clientId: string;
  /** Absent for a public client. */
  readonly secret?: string;
  readonly method: 'client_secret_basic' | 'client_secret_post' | 'none';
}

const inHeader = (authorization: string): ClientCredentials | undefined => {
  const credentials = basicCredentialsIn(authorization);
  return credentials && { ...credentials, method: 'client_secret_basic' };
};

/** Headers by which a client authenticates: oidc-provider reads them. */
const elsewhere = ['oauth-client-attestation', 'oauth-client-attestation-pop'] as const;

/**
 * The client credentials of a request that has them in one place, the header or the form.
 *
 * @returns undefined for any other request, such as one with a client assertion: oidc-provider reads it
 */
const clientCredentialsIn = ({ headers, params: form }: EndpointRequest): ClientCredentials | undefined => {
  if (elsewhere.some((name) => headers[name] !== undefined)) return undefined;
  if (form.has('client_assertion') || form.has('client_assertion_type')) return undefined;
  const { authorization } = headers;
  const [clientId, secret] = [form.get('client_id') ?? undefined, form.get('client_secret') ?? undefined];
  if (authorization !== undefined) {
    const credentials = secret === undefined ? inHeader(authorization) : undefined;
    return clientId === undefined || clientId === credentials?.clientId ? credentials : undefined;
  }
  if (clientId === undefined) return undefined;
  return secret === undefined ? { clientId, method: 'none' } : { clientId, secret, method: 'client_secret_post' };
};

export interface AuthenticatedClient {
  readonly client: ProviderClient;
  readonly record: ClientRecord;
}

/** The client of a request. Undefined if oidc-provider has to authenticate it. */
export type AuthenticateClient = (request: EndpointRequest) => Promise<AuthenticatedClient | undefined>;

/**
 * Authenticates clients by a method that they may use. A secret is accepted here only if the verifier already knows that it
 * is right. The library handler verifies every other secret, so that each is hashed once.
 */
export const createAuthenticateClient =
  ({
    findClient,
    secrets,
  }: {
    readonly findClient: FindClient;
    readonly secrets: Pick<SecretVerifier, 'isProven'>;
  }): AuthenticateClient =>
  async (request) => {
    const credentials = clientCredentialsIn(request);
    if (credentials === undefined) return undefined;
    const client = await findClient(request.message, credentials.clientId);
    if (client === undefined || !mayAuthenticateBy(client, credentials.method)) return undefined;
    const record = recordOf(client);
    const { secret } = credentials;
    if (secret !== undefined && !secrets.isProven(record.id, secret, record.secrets)) return undefined;
    request.auditContext.clientId = record.id;
    return { client, record };
  };
