import type { ClientRecord } from '../clients/client-record.ts';
import type { SecretVerifier } from '../clients/secret-verifier.ts';
import { mayAuthenticateBy, type ProviderClient, recordOf } from '../library/clients.ts';
import type { FindClient } from '../library/find-client.ts';
import type { FastRequest } from './fast-endpoint.ts';
import { clientCredentialsIn } from './presented-credentials.ts';

export interface AuthenticatedClient {
  readonly client: ProviderClient;
  readonly record: ClientRecord;
}

/** The client of a request. Undefined if oidc-provider has to authenticate it. */
export type AuthenticateClient = (request: FastRequest) => Promise<AuthenticatedClient | undefined>;

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
    const client = await findClient(request.req, credentials.clientId);
    if (client === undefined || !mayAuthenticateBy(client, credentials.method)) return undefined;
    const record = recordOf(client);
    const { secret } = credentials;
    if (secret !== undefined && !secrets.isProven(record.id, secret, record.secrets)) return undefined;
    request.known.clientId = record.id;
    return { client, record };
  };
