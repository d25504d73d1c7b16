import type { IncomingMessage } from 'node:http';
import type { Grant, TokenParameters } from '../grants/grant.ts';
import { createRequestStore, type StoreAccess } from '../grants/request-store.ts';
import type { ProveKeys, Proven } from '../library/proven-keys.ts';
import { problemOfParams } from '../library/request-limits.ts';
import { OAuthError, oauthErrorBody } from '../oauth-error.ts';
import type { UndoneBy } from '../storage/compose.ts';
import type { Logger } from '../telemetry/logger.ts';
import { isScope } from '../text/space-delimited.ts';
import type { AuthenticateClient, AuthenticatedClient } from './authenticate-client.ts';
import { type FastEndpoint, type FastRequest, type FastResponse, jsonResponse } from './fast-endpoint.ts';

export interface TokenEndpointDependencies {
  /** By grant type. */
  readonly grants: Readonly<Record<string, Grant>>;
  readonly authenticate: AuthenticateClient;
  readonly proveKeys: ProveKeys;
  /** The member `oidc` of a Koa context, as far as oidc-provider reads it to verify a DPoP proof. */
  readonly proofContext: (proof: string) => object;
  readonly access: StoreAccess;
  readonly undoneBy: UndoneBy;
  readonly logger: Pick<Logger, 'info' | 'error'>;
}

/** A form that is not well-formed is forwarded, and oidc-provider refuses it. */
const isWellFormed = (form: ReadonlyMap<string, string>): boolean => {
  for (const value of form.values()) if (value === '') return false;
  const scope = form.get('scope');
  return problemOfParams(form) === undefined && (scope === undefined || isScope(scope));
};

const parametersOf = (form: ReadonlyMap<string, string>): TokenParameters => ({
  get: (name) => form.get(name),
  all: (name) => {
    const value = form.get(name);
    return value === undefined ? [] : [value];
  },
});

const refusalOf = (error: OAuthError): FastResponse => {
  const response = jsonResponse(oauthErrorBody(error));
  const headers = error.status === 503 ? { ...response.headers, 'Retry-After': '1' } : response.headers;
  return { ...response, headers, status: error.status, refused: error.error };
};

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

/**
 * Answers the request of an authenticated client. Without `async`: each additional promise costs measurable time.
 */
const createAnswer = ({ proveKeys, proofContext, access, undoneBy, logger }: TokenEndpointDependencies) => {
  const refuse = (error: unknown, requestId: string): FastResponse => {
    if (!(error instanceof OAuthError)) throw error;
    if (error.error === 'server_error') logger.error({ err: error, requestId }, 'server_error');
    return refusalOf(error);
  };

  return (request: FastRequest, grant: Grant, client: AuthenticatedClient): Promise<FastResponse> => {
    const { req, form, known, requestId } = request;
    const { headers, context } = proofContextOf(req, proofContext);
    const respond = (response: FastResponse): FastResponse => ({
      ...response,
      headers: { ...response.headers, ...headers },
    });
    const issue = ({ keys, proof }: Proven) => {
      const store = createRequestStore({ access, proof, undoneBy, logger });
      return grant.issue({ ...client, parameters: parametersOf(form), keys, store, known });
    };
    const proven = proveKeys(context, client.record.id);
    const issued = proven instanceof Promise ? proven.then(issue) : issue(proven);
    return issued.then(
      (response) => respond(jsonResponse(response)),
      (error: unknown) => respond(refuse(error, requestId)),
    );
  };
};

/**
 * `POST /oauth2/token` (RFC 6749, section 3.2): authenticates the client and calls the grant. It forwards requests
 * whose client it cannot authenticate to oidc-provider, which calls the same grants.
 */
export const createTokenEndpoint = (deps: TokenEndpointDependencies): FastEndpoint => {
  const grants = new Map(Object.entries(deps.grants));
  const answer = createAnswer(deps);
  return (request) => {
    const grantType = request.form.get('grant_type') ?? '';
    const grant = grants.get(grantType);
    if (grant === undefined || request.query !== '' || !isWellFormed(request.form)) return undefined;
    return deps
      .authenticate(request)
      .then((client) => (client?.client.grantTypeAllowed(grantType) ? answer(request, grant, client) : undefined));
  };
};
