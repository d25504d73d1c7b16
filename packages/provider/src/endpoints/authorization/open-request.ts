import type { IncomingMessage } from 'node:http';
import { extraParams } from '../../flow/extra-params.ts';
import type { FlowState } from '../../flow/flow-state.ts';
import { isPushedUri } from '../../flow/pushed-requests.ts';
import { type ProviderClient, recordOf } from '../../library/clients.ts';
import { invalidRequest, OAuthError } from '../../oauth-error.ts';
import { createUnitOfWork } from '../../storage/unit-of-work.ts';
import type { EndpointDependencies } from '../dependencies.ts';
import { assertOnce, valuesOf } from '../parameters.ts';
import type { AuthorizationRequest } from './request.ts';
import type { Validate } from './validate.ts';

/** An authorization request, wherever its parameters were. */
export interface OpenedRequest extends AuthorizationRequest {
  /** The parameters that Carnet does not know. */
  readonly extra?: FlowState['extra'];
  readonly redirectUriOmitted?: boolean;
  /** The pushed request that the browser brings. */
  readonly pushed?: { readonly id: string; readonly isAuthenticated: boolean };
  /** Seconds since 1970: when the request object expires. */
  readonly expiresAt?: number;
  /** The request object or pushed request is refused. `params` are those that say to whom. */
  readonly refusal?: OAuthError;
}

/** @throws {CarnetError} for a failure of the store, or of the server that has the keys of the client */
export type OpenRequest = (
  route: 'authorization' | 'pushed_authorization_request' | 'device_authorization' | 'backchannel_authentication',
  request: { readonly message: IncomingMessage; readonly params: URLSearchParams },
  client: ProviderClient,
) => OpenedRequest | Promise<OpenedRequest>;

/** Opens and validates authorization requests. */
export interface RequestReader {
  readonly openRequest: OpenRequest;
  readonly validator: Validate;
}

type Opened = Partial<OpenedRequest>;

/** The parameters of a request that are sent once: those that are repeated are left out. */
const single = (params: URLSearchParams): ReadonlyMap<string, string> => {
  const all = new Map(params);
  if (all.size === params.size) return all;
  return new Map([...all].filter(([name]) => params.getAll(name).length === 1));
};

const unusable = 'request_uri is invalid, expired, or was already used';

const refused = (error: string, description?: string): Opened => ({ refusal: new OAuthError(error, description) });

/** Opens an authorization request: sent in the form or the query, as a request object (RFC 9101), or pushed (RFC 9126). */
export const createOpenRequest = (deps: EndpointDependencies): OpenRequest => {
  const { adapter, ask, fetchRequestObject, pushedRequests } = deps;
  const { jar, par } = deps.options.features;

  const openPushed = async (requestUri: string, client: ProviderClient): Promise<Opened> => {
    const found = await pushedRequests.find(requestUri, createUnitOfWork(adapter));
    // Only the client that has pushed a request may use it (RFC 9126, section 2.2).
    if (found?.params.client_id !== client.clientId) return refused('invalid_request_uri', unusable);
    const { params, resources, extra, redirectUriOmitted } = found;
    return { params, resources, extra, redirectUriOmitted, isPushed: true, isSigned: true, pushed: found };
  };

  const openObject = async (...[route, { message, params }, client]: Parameters<OpenRequest>): Promise<Opened> => {
    if (!jar.enabled) return refused('request_not_supported');
    if (route === 'authorization' && client.requirePushedAuthorizationRequests)
      return refused('invalid_request', 'Pushed Authorization Request must be used');
    const { claims, ...opened } = await ask.openRequestObject(route, { message, params }, client);
    const { exp } = claims;
    const expiresAt = typeof exp === 'number' && Number.isInteger(exp) ? exp : undefined;
    return { ...opened, extra: extraParams(Object.entries(claims)), isSigned: true, expiresAt };
  };

  const openUri = async (...[route, request, client]: Parameters<OpenRequest>): Promise<Opened> => {
    const uri = request.params.get('request_uri') ?? '';
    if (isPushedUri(uri)) return par.enabled ? openPushed(uri, client) : refused('request_uri_not_supported');
    // Only URLs that the client has registered are fetched, so that no caller chooses which server is called.
    const isRegistered = recordOf(client).metadata.request_uris?.includes(uri) ?? false;
    if (!jar.enabled || !jar.byReference || !isRegistered) return refused('request_uri_not_supported');
    const object = await fetchRequestObject(uri);
    if (object === undefined) return refused('invalid_request_uri', unusable);
    const params = new URLSearchParams([...single(request.params)]);
    params.set('request', object);
    params.delete('request_uri');
    return openObject(route, { ...request, params }, client);
  };

  // Without `async`: each additional promise costs every login measurable time.
  return (route, request, client) => {
    const all = single(request.params);
    const params = Object.fromEntries(all);
    const sent = { params, resources: valuesOf(request.params, 'resource'), isPushed: false, isSigned: false };
    if (params.request && params.request_uri)
      return { ...sent, refusal: invalidRequest('request and request_uri parameters MUST NOT be used together') };
    const opened = params.request
      ? openObject(route, request, client)
      : params.request_uri && openUri(route, request, client);
    return opened ? opened.then((found) => ({ ...sent, ...found })) : { ...sent, extra: extraParams(all) };
  };
};

/** Parameters that a request has once, beside those that a flow keeps. */
const once =
  'request request_uri registration binding_message user_code requested_expiry client_notification_token login_hint_token'.split(
    ' ',
  );

/** The request of a client that is authenticated. It may be a request object, but names no other place. */
export const openFromClient = async (
  { openRequest, validator }: RequestReader,
  ...[route, request, client]: Parameters<OpenRequest>
): Promise<OpenedRequest> => {
  assertOnce(request.params, [...validator.names, ...once]);
  if (request.params.get('request_uri')) throw new OAuthError('request_uri_not_supported');
  const opened = await openRequest(route, request, client);
  if (opened.refusal) throw opened.refusal;
  // The client is the one that has authenticated, wherever the request names it.
  return { ...opened, params: { ...opened.params, client_id: client.clientId } };
};
