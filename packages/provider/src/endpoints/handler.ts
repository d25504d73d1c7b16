import type { OutgoingHttpHeaders } from 'node:http';
import { CarnetError } from '../errors.ts';
import { parsedForm, readBody } from '../http/read-body.ts';
import { type CompleteResponse, completeResponse, type EndpointHandler, securityHeaders } from '../http/response.ts';
import type { HttpResponse, ResponseHeaders } from '../http/types.ts';
import { type Endpoint, routes } from '../library/paths.ts';
import { assertHead, hasBody, notAForm, settleParams } from '../library/request-limits.ts';
import type { AuditAction } from '../telemetry/audit.ts';
import { type CorsHeaders, createCorsHeaders, OriginError } from './cors.ts';
import type { EndpointDependencies } from './dependencies.ts';
import type { EndpointRequest, PublicEndpoint } from './endpoint.ts';
import { createFailureResponse } from './failure-response.ts';
import { publicEndpoints } from './public-endpoints.ts';

interface Row {
  readonly endpoint: PublicEndpoint;
  readonly methods: readonly string[];
  readonly corsHeaders: CorsHeaders | undefined;
}

type RequestHead = Omit<EndpointRequest, 'params'>;

const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** oidc-provider's own limit. */
const maxFormBytes = 57_344;

/**
 * The POSTed form, encoded or already parsed; undefined for a request without one.
 *
 * @throws CarnetError if the body is no form, or too large
 */
const readForm = ({ method, headers, message }: RequestHead): Promise<URLSearchParams | Buffer> | undefined => {
  if (method === 'POST' && formType.test(headers['content-type'] ?? '')) {
    const parsed = parsedForm(message);
    return parsed ? Promise.resolve(parsed) : readBody(message, maxFormBytes);
  }
  if (hasBody(headers)) throw notAForm();
  return undefined;
};

const paramsIn = (text: string): URLSearchParams => {
  const params = new URLSearchParams(text);
  if (text !== '') settleParams(params);
  return params;
};

/** Without `async`, as the handler: each additional promise costs measurable time. */
const answer = ({ endpoint, methods }: Row, head: RequestHead): ReturnType<PublicEndpoint> => {
  assertHead(head.method, methods, head.query);
  if (head.method === 'OPTIONS') return { status: 204 };
  const query = paramsIn(head.query);
  const form = readForm(head);
  if (form === undefined) return endpoint({ ...head, params: head.method === 'POST' ? new URLSearchParams() : query });
  return form.then((sent) => endpoint({ ...head, params: paramsIn(String(sent)) }));
};

/** The headers of CORS, unless the host application has set its own: it decides about origins then. */
const corsOf = ({ corsHeaders }: Row, hostHeaders: OutgoingHttpHeaders): CorsHeaders | undefined => {
  for (const name in hostHeaders) if (name.startsWith('access-control-')) return undefined;
  return corsHeaders;
};

/** In headers that may have several values, keeps those of the host application beside those of the response. */
const beside = (hostHeaders: OutgoingHttpHeaders, response: CompleteResponse): CompleteResponse => {
  const { headers } = response;
  const shared = ['Vary', 'Set-Cookie'].filter((name) => headers[name] && hostHeaders[name.toLowerCase()]);
  if (shared.length === 0) return response;
  const merged = shared.map((name) => [name, [hostHeaders[name.toLowerCase()], headers[name]].flat()]);
  return { ...response, headers: { ...headers, ...Object.fromEntries(merged) } };
};

/** The endpoints whose calls are recorded. */
const actions: ReadonlyMap<string, AuditAction> = new Map([
  [routes.token, 'token'],
  [routes.revocation, 'revocation'],
]);

/** Errors that answer a poll before the user has decided. There is nothing to record then. */
const pending: ReadonlySet<string | undefined> = new Set(['authorization_pending', 'slow_down']);

/** Writes the audit record of a token or revocation request, after its commit. */
const createAuditEndpoint =
  ({ audit }: EndpointDependencies) =>
  ({ method, path, requestId, auditContext }: RequestHead, { status, body }: HttpResponse): void => {
    const action = method === 'POST' ? actions.get(path) : undefined;
    const isRefused = status >= 400;
    const reason = isRefused ? (body as { readonly error?: string } | undefined)?.error : undefined;
    if (action === undefined || pending.has(reason)) return;
    // A refused request is recorded without its grant type.
    const grantType = isRefused ? undefined : auditContext.grantType;
    audit({ action, outcome: isRefused ? 'denied' : 'success', reason, ...auditContext, grantType, requestId });
  };

/**
 * The handler of the public endpoints. It reads a request and checks its limits, and returns what the endpoint at its
 * path returns or throws, with the headers of CORS. It writes the audit record.
 */
export const createEndpointHandler = (deps: EndpointDependencies): EndpointHandler => {
  const { paths, options } = deps;
  const endpoints = publicEndpoints(deps);
  const failureResponse = createFailureResponse(deps);
  const audit = createAuditEndpoint(deps);
  const rowOf = (at: Endpoint): Row => {
    const endpoint = endpoints[at.path];
    if (endpoint === undefined) throw new TypeError(`no endpoint at ${at.path}`);
    return { endpoint, methods: at.methods, corsHeaders: createCorsHeaders(at, options.features) };
  };
  const rows = new Map(paths.endpoints.map((at) => [at, rowOf(at)]));

  const respond = async (row: Row, head: RequestHead, hostHeaders: OutgoingHttpHeaders): Promise<CompleteResponse> => {
    const corsHeaders = corsOf(row, hostHeaders);
    let common: ResponseHeaders = { ...securityHeaders, ...corsHeaders?.(head), 'X-Request-Id': head.requestId };
    let response: HttpResponse;
    try {
      const answered = answer(row, corsHeaders ? head : { ...head, origin: undefined });
      response = answered instanceof Promise ? await answered : answered;
    } catch (error) {
      response = failureResponse(error, head);
      if (response.status === 405) common = { ...common, Allow: row.methods.join(', ') };
      const { 'Access-Control-Allow-Origin': _allowed, ...unreadable } = common;
      if (error instanceof OriginError) common = unreadable;
    }
    audit(head, response);
    return beside(hostHeaders, completeResponse(response, common));
  };

  return (message, hostHeaders, requestId) => {
    const { url = '/', method = 'GET', headers } = message;
    const end = url.indexOf('?');
    const path = end < 0 ? url : url.slice(0, end);
    const at = paths.endpointAt(path);
    const row = at && rows.get(at);
    if (row === undefined) throw new CarnetError('not_found', 'There is nothing at this path.');
    const query = end < 0 ? '' : url.slice(end + 1);
    const { origin } = headers;
    const head = { method, path, headers, query, requestId, origin, message, auditContext: {} };
    return respond(row, head, hostHeaders);
  };
};
