import { createAuditEndpoint } from '../endpoints/audit.ts';
import { createOpenRequest } from '../endpoints/authorization/open-request.ts';
import { createValidate } from '../endpoints/authorization/validate.ts';
import { browserEndpoints } from '../endpoints/browser-endpoints.ts';
import { clientEndpoints } from '../endpoints/client-endpoints.ts';
import { documentEndpoints } from '../endpoints/documents.ts';
import { createFailureResponse } from '../endpoints/failure-response.ts';
import { createEndpointHandler, type EndpointHandler } from '../endpoints/handler.ts';
import { createUserinfoEndpoint } from '../endpoints/userinfo.ts';
import type { FlowState } from '../flow/flow-state.ts';
import { createPushedRequests } from '../flow/pushed-requests.ts';
import { createRespond, createResponseModes } from '../interaction/authorization-response.ts';
import { createFlowEngine } from '../interaction/create-flow-engine.ts';
import { toOAuthError } from '../library/asked-context.ts';
import { recordOf } from '../library/clients.ts';
import { createIsFutureProof } from '../library/features/fapi.ts';
import { routes } from '../library/paths.ts';
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
  const { clients, paths } = library;
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
  const engine = createFlowEngine({ ...parts, receiverOf, respond });
  const pushedRequests = createPushedRequests({ ...deps, redemptions });
  const openRequest = createOpenRequest({
    ...parts,
    pushedRequests,
    fetchRequestObject: createFetchRequestObject(deps.outbound),
  });
  const validator = createValidate(parts);
  const shared = { ...parts, respond, engine, pushedRequests, openRequest, validator };
  const isFutureProof = createIsFutureProof(options.features, deps.now);
  return createEndpointHandler({
    endpoints: {
      ...documentEndpoints(library.documents),
      ...browserEndpoints(shared),
      ...clientEndpoints({
        ...shared,
        isFutureProof,
        findRevocation: createFindRevocation({ jwts, adapter, redemptions }),
      }),
      [routes.userinfo]: createUserinfoEndpoint({
        ...shared,
        isFutureProof,
        clientOf: clients.of,
        userinfoClaims: createUserinfoClaims(deps),
      }),
    },
    paths,
    features: options.features,
    failureResponse: createFailureResponse({ ...deps, paths }),
    audit: createAuditEndpoint(deps.audit),
  });
};
