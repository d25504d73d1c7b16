import type { HttpResponse } from '../../http/types.ts';
import { refusalOf } from '../../interaction/authorization-response.ts';
import type { Browser } from '../../interaction/browser.ts';
import type { RequestedFlow } from '../../interaction/challenges.ts';
import { type ProviderClient, recordOf } from '../../library/clients.ts';
import { OAuthError } from '../../oauth-error.ts';
import type { EndpointDependencies } from '../dependencies.ts';
import { type EndpointRequest, type PublicEndpoint, visitOf, withCookies } from '../endpoint.ts';
import { assertOnce, required } from '../parameters.ts';
import type { OpenedRequest, RequestReader } from './open-request.ts';
import type { RequestParams } from './request.ts';

/** The parameters that are read beside those that a flow keeps. */
const notKept = ['request', 'request_uri', 'registration'];

/** `GET` and `POST /oauth2/auth`: a browser with a request, or with the decision of the login page or the consent page. */
export const createAuthorizationEndpoint = (
  deps: Pick<EndpointDependencies, 'adapter' | 'ask' | 'engine' | 'respond'> & RequestReader,
): PublicEndpoint => {
  const { ask, engine, validator, respond, openRequest } = deps;
  const readOnce = [...validator.names, ...notKept];

  const flowOf = (opened: OpenedRequest, client: ProviderClient, params: RequestParams): RequestedFlow => ({
    params: validator.validate({ ...opened, params }, client),
    extra: opened.extra,
    pushedId: opened.pushed?.id,
    redirectUriOmitted: opened.redirectUriOmitted ?? (opened.params.redirect_uri ? undefined : true),
  });

  const answer = async (opened: OpenedRequest, request: EndpointRequest, client: ProviderClient, browser: Browser) => {
    const { refusal, pushed } = opened;
    const named = validator.pick(opened.params);
    if (refusal && named.redirect_uri === undefined) throw refusal;
    const params: RequestParams = { ...named, redirect_uri: validator.receiver(named, client) };
    const record = recordOf(client);
    try {
      assertOnce(request.params, readOnce);
      if (refusal) throw refusal;
      const flow = flowOf(opened, client, params);
      const begun = await engine.begin(flow, record, browser, pushed?.isAuthenticated ? pushed.id : undefined);
      return 'status' in begun ? begun : await respond(params, record, refusalOf(params, begun));
    } catch (error) {
      // The receiver was checked above: without that, this would be an open redirector (RFC 9700, section 4.11).
      if (!(error instanceof OAuthError)) throw error;
      const { error: code, error_description: description, scope } = error;
      return respond(params, record, { ...refusalOf(params, { error: code, description }), scope });
    }
  };

  /** A request without a client that can be redirected to is shown to the user (RFC 6749, section 4.1.2.1). */
  const begin = async (request: EndpointRequest, browser: Browser): Promise<HttpResponse> => {
    const id = required(request.params, 'client_id');
    const client = await ask.findClient(id);
    if (client === undefined) throw new OAuthError('invalid_client', 'client is invalid');
    const opened = openRequest('authorization', request, client);
    // Each additional promise costs every login measurable time.
    const found = opened instanceof Promise ? await opened : opened;
    return withCookies(await answer(found, request, client, browser), browser);
  };

  return (request) => {
    const { method, params, query } = request;
    const browser = visitOf(request, deps);
    const inUrl = method === 'POST' ? new URLSearchParams(query) : params;
    const resumed = engine.resume(inUrl, browser);
    return resumed ? resumed.then((response) => withCookies(response, browser)) : begin(request, browser);
  };
};
