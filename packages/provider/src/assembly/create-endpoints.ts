import { createEndpointHandler } from '../endpoints/handler.ts';
import type { FlowState } from '../flow/flow-state.ts';
import { createPushedRequests } from '../flow/pushed-requests.ts';
import type { EndpointHandler } from '../http/response.ts';
import { createRespond, createResponseModes } from '../interaction/authorization-response.ts';
import { createFlowEngine } from '../interaction/create-flow-engine.ts';
import { toOAuthError } from '../library/asked-context.ts';
import { recordOf } from '../library/clients.ts';
import { createFetchRequestObject } from '../library/request-by-reference.ts';
import { OAuthError } from '../oauth-error.ts';
import { createFindRevocation } from '../tokens/manage-tokens.ts';
import { createUserinfoClaims } from '../tokens/userinfo-claims.ts';
import type { Issuing } from './create-issuing.ts';
import type { Library } from './create-library.ts';
import type { OidcDependencies } from './oidc-dependencies.ts';

/** The public endpoints, in one handler. */
export const createEndpoints = (deps: OidcDependencies, library: Library, issuing: Issuing): EndpointHandler => {
  const { options, adapter } = deps;
  const { clients } = library;
  const { redemptions, jwts } = issuing;
  const responseModes = createResponseModes(options.features);
  const receiverOf = async (params: FlowState['params']) => {
    const client = await clients.find(params.client_id ?? '').catch((error: unknown) => {
      // Its metadata needs a feature that was switched off meanwhile.
      if (toOAuthError(error) instanceof OAuthError) return undefined;
      throw error;
    });
    return client?.redirectUriAllowed(params.redirect_uri ?? '') ? recordOf(client) : undefined;
  };
  const parts = { ...deps, ...library, ...issuing, clients: deps.clients, responseModes };
  const respond = createRespond(parts);
  return createEndpointHandler({
    ...parts,
    respond,
    engine: createFlowEngine({ ...parts, receiverOf, respond }),
    pushedRequests: createPushedRequests({ ...deps, redemptions }),
    fetchRequestObject: createFetchRequestObject(deps.outbound),
    findRevocation: createFindRevocation({ jwts, adapter, redemptions, keyRing: deps.keyRing }),
    userinfoClaims: createUserinfoClaims(deps),
    clientOf: clients.of,
  });
};
