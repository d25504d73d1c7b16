import { createRequestStore, type ProvenStore, type RequestStoreOptions } from '../grants/request-store.ts';
import type { HttpResponse } from '../http/types.ts';
import type { ProviderClient } from '../library/clients.ts';
import type { IsFutureProof } from '../library/features/fapi.ts';
import { OAuthError } from '../oauth-error.ts';
import type { AuthenticateClient, AuthenticatedClient } from './client-authentication.ts';
import type { EndpointRequest, PublicEndpoint } from './endpoint.ts';

/**
 * Answers a request whose client is authenticated. All that it writes is in one commit of the store.
 *
 * @throws {OAuthError} for a request that is refused
 */
export type ClientAnswer = (
  request: EndpointRequest,
  client: AuthenticatedClient,
  store: ProvenStore,
) => Promise<HttpResponse>;

/** @throws {OAuthError} `unauthorized_client` (RFC 6749, section 5.2) */
export const assertGrantType = (client: ProviderClient, grantType: string): void => {
  if (client.grantTypeAllowed(grantType)) return;
  throw new OAuthError('unauthorized_client', 'the client is not registered for this grant type');
};

export interface ClientEndpointDependencies extends Omit<RequestStoreOptions, 'assertions'> {
  readonly authenticate: AuthenticateClient;
  readonly isFutureProof: IsFutureProof;
}

/** An endpoint at which clients authenticate. The assertion of a client is used up even if its request is refused (D6). */
export const createClientEndpoint =
  ({ authenticate, isFutureProof, ...deps }: ClientEndpointDependencies) =>
  (route: string, answer: ClientAnswer): PublicEndpoint =>
  async (request) => {
    if (isFutureProof(request.headers)) throw new OAuthError('invalid_dpop_proof', 'DPoP proof is from the future');
    let store: ProvenStore | undefined;
    try {
      const client = await authenticate(route, request);
      store = createRequestStore({ ...deps, assertions: client.proofs });
      const response = await answer(request, client, store);
      const ended = store.end();
      if (ended) await ended;
      return response;
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      await store?.end();
      throw error;
    }
  };
