import type { IncomingMessage } from 'node:http';
import type { Grant, TokenParameters } from '../grants/grant.ts';
import { createRequestStore, type StoreAccess } from '../grants/request-store.ts';
import type { HttpResponse } from '../http/types.ts';
import type { FailureResponse } from '../library/failure-response.ts';
import { routes } from '../library/paths.ts';
import type { ProveKeys, Proven } from '../library/proven-keys.ts';
import type { Params } from '../library/request-limits.ts';
import type { UndoneBy } from '../storage/compose.ts';
import type { Logger } from '../telemetry/logger.ts';
import { isScope } from '../text/space-delimited.ts';
import type { AuthenticateClient, AuthenticatedClient } from './authenticate-client.ts';
import { assertOrigin } from './cors.ts';
import type { EndpointRequest, PublicEndpoint } from './endpoint.ts';

export interface TokenEndpointDependencies {
  /** By grant type. */
  readonly grants: Readonly<Record<string, Grant>>;
  readonly authenticate: AuthenticateClient;
  readonly proveKeys: ProveKeys;
  /** The member `oidc` of a Koa context, as far as oidc-provider reads it to verify a DPoP proof. */
  readonly proofContext: (proof: string) => object;
  readonly access: StoreAccess;
  readonly undoneBy: UndoneBy;
  readonly logger: Pick<Logger, 'info'>;
  readonly failureResponse: FailureResponse;
}

/** A form that is not well-formed is forwarded, and oidc-provider refuses it. */
const isWellFormed = (form: Params): form is ReadonlyMap<string, string> => {
  if (form instanceof URLSearchParams) return false;
  for (const value of form.values()) if (value === '') return false;
  const scope = form.get('scope');
  return scope === undefined || isScope(scope);
};

const parametersOf = (form: ReadonlyMap<string, string>): TokenParameters => ({
  get: (name) => form.get(name),
  all: (name) => {
    const value = form.get(name);
    return value === undefined ? [] : [value];
  },
});

/** The `ctx` with which oidc-provider verifies a DPoP proof, and the headers that oidc-provider sets. */
const proofContextOf = (req: IncomingMessage, oidcOf: TokenEndpointDependencies['proofContext']) => {
  const headers: Record<string, string> = {};
  const get = (name: string): string => String(req.headers[name.toLowerCase()] ?? '');
  const set = (name: string, value: string): void => {
    headers[name] = value;
  };
  const context = {
    req,
    method: 'POST',
    get,
    set,
    get oidc() {
      return oidcOf(get('DPoP'));
    },
  };
  return { headers, context };
};

interface TokenRequest {
  readonly form: ReadonlyMap<string, string>;
  readonly grant: Grant;
  readonly client: AuthenticatedClient;
}

/**
 * Answers the request of an authenticated client. Without `async`: each additional promise costs measurable time.
 */
const createAnswer = (deps: TokenEndpointDependencies) => {
  const { proveKeys, proofContext, access, undoneBy, logger, failureResponse } = deps;

  return (request: EndpointRequest, { form, grant, client }: TokenRequest): Promise<HttpResponse> => {
    const { message, auditContext, requestId } = request;
    const { headers, context } = proofContextOf(message, proofContext);
    const respond = (response: HttpResponse): HttpResponse => ({
      ...response,
      headers: { ...response.headers, ...headers },
    });
    const issue = ({ keys, proof }: Proven) => {
      const store = createRequestStore({ access, proof, undoneBy, logger });
      return grant.issue({ ...client, parameters: parametersOf(form), keys, store, known: auditContext });
    };
    auditContext.grantType = form.get('grant_type');
    const proven = proveKeys(context, client.record.id);
    const issued = proven instanceof Promise ? proven.then(issue) : issue(proven);
    return issued.then(
      (body) => respond({ status: 200, body }),
      (error: unknown) => respond(failureResponse(error, { path: routes.token, requestId })),
    );
  };
};

/**
 * `POST /oauth2/token` (RFC 6749, section 3.2): authenticates the client and calls the grant. It forwards requests
 * whose client it cannot authenticate to oidc-provider, which calls the same grants.
 */
export const createTokenEndpoint = (deps: TokenEndpointDependencies): PublicEndpoint => {
  const grants = new Map(Object.entries(deps.grants));
  const answer = createAnswer(deps);
  return (request) => {
    const { params: form } = request;
    const grantType = form.get('grant_type') ?? '';
    const grant = grants.get(grantType);
    if (grant === undefined || request.query !== '' || !isWellFormed(form)) return undefined;
    return deps.authenticate(request).then((client) => {
      if (!client?.client.grantTypeAllowed(grantType)) return undefined;
      assertOrigin(request.origin, client.client);
      return answer(request, { form, grant, client });
    });
  };
};
