import { createTokenBucket } from '@carnet/adapter-contract/kit';
import { CarnetError } from '../errors.ts';
import { createRequestStore, type ProvenStore } from '../grants/request-store.ts';
import type { HttpResponse } from '../http/types.ts';
import type { ProviderClient } from '../library/clients.ts';
import { OAuthError } from '../oauth-error.ts';
import { type AuthenticatedClient, createAuthenticateClient } from './client-authentication.ts';
import type { EndpointDependencies } from './dependencies.ts';
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

/**
 * Limits the rows that requests of public clients create: any caller can send such a request.
 *
 * The returned function throws a {CarnetError} `too_busy` if a public client may create no row now.
 */
export const createPublicQuota = (now: () => number): ((client: ProviderClient) => void) => {
  const take = createTokenBucket({ perSecond: 20, atOnce: 200, now });
  return ({ clientAuthMethod }) => {
    if (clientAuthMethod !== 'none' || take()) return;
    throw new CarnetError('too_busy', 'Public clients send too many requests. Try again in a moment.');
  };
};

/** Endpoints at which clients authenticate. The assertion of a client is used up even if its request is refused (D6). */
export const createClientEndpoints = (deps: EndpointDependencies) => {
  const { adapter, undoneBy, logger } = deps;
  const authenticate = createAuthenticateClient(deps);

  return (route: string, answer: ClientAnswer): PublicEndpoint =>
    async (request) => {
      let store: ProvenStore | undefined;
      try {
        const client = await authenticate(route, request);
        store = createRequestStore({ adapter, undoneBy, logger, assertions: client.proofs });
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
};
