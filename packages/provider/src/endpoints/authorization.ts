import type { StorageAdapter } from '@carnet/adapter-contract';
import { extraParams } from '../flow/extra-params.ts';
import type { FlowState } from '../flow/flow-state.ts';
import { redirect } from '../http/redirect.ts';
import type { HttpResponse } from '../http/types.ts';
import { errorResponse, isPlainCode } from '../interaction/authorization-response.ts';
import type { Browser } from '../interaction/browser.ts';
import type { FlowEngine } from '../interaction/create-flow-engine.ts';
import { type VerifierParam, verifierParams } from '../interaction/resume.ts';
import type { Ending } from '../interaction/step.ts';
import { recordOf } from '../library/clients.ts';
import type { FindClient } from '../library/find-client.ts';
import { createUnitOfWork } from '../storage/unit-of-work.ts';
import { type AuthorizationRequestDependencies, createReadRequest, type Params } from './authorization-request.ts';
import type { EndpointRequest, PublicEndpoint } from './endpoint.ts';

export interface AuthorizationDependencies extends AuthorizationRequestDependencies {
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
  readonly engine: Pick<FlowEngine, 'begin' | 'resume' | 'codeEnding'>;
  readonly findClient: FindClient;
}

/** Whether the caller accepts HTML. Other values of `Accept` are forwarded. */
const wantsPage = ({ headers: { accept } }: EndpointRequest): boolean =>
  accept === undefined || accept === '*/*' || accept === 'text/html' || accept.startsWith('text/html,');

/** The parameters of a request that has them in one place, each once. Other requests are forwarded. */
const paramsOf = ({ method, query, params }: EndpointRequest): ReadonlyMap<string, string> | undefined => {
  const isElsewhere = method === 'POST' ? query !== '' : query.includes('#');
  return isElsewhere || params instanceof URLSearchParams ? undefined : params;
};

const respond = (response: HttpResponse, { cookies }: Browser): HttpResponse =>
  cookies.length === 0 ? response : { ...response, headers: { ...response.headers, 'Set-Cookie': cookies } };

/** The visits of a browser that signs in: with the request, from the login page, and from the consent page. */
export const createAuthorizationEndpoint = (deps: AuthorizationDependencies): PublicEndpoint => {
  const { engine, findClient } = deps;
  const { issuer } = deps.options;
  const read = createReadRequest(deps);

  const endingOf = ({ params }: FlowState): Ending | undefined => (isPlainCode(params) ? engine.codeEnding : undefined);

  const resume = (purpose: VerifierParam, token: string, browser: Browser): Promise<HttpResponse | undefined> =>
    engine.resume(purpose, token, browser, endingOf).then((response) => response && respond(response, browser));

  const begin = async (
    picked: Params,
    extra: FlowState['extra'],
    { message }: EndpointRequest,
    browser: Browser,
  ): Promise<HttpResponse | undefined> => {
    const client = await findClient(message, picked.client_id ?? '');
    const params = client && read.validate(picked, client);
    if (client === undefined || params === undefined) return undefined;
    const begun = await engine.begin({ params, extra }, recordOf(client), browser);
    if ('next' in begun) return respond(redirect(302, begun.next.url), browser);
    return respond(errorResponse(params, begun.refused, issuer), browser);
  };

  return (request) => {
    const params = wantsPage(request) ? paramsOf(request) : undefined;
    if (params === undefined) return undefined;
    const { method, headers, message } = request;
    const browser: Browser = {
      cookieHeader: headers.cookie,
      message,
      uow: createUnitOfWork(deps.adapter),
      cookies: [],
    };
    for (const purpose of verifierParams) {
      const token = method === 'GET' ? params.get(purpose) : undefined;
      if (token !== undefined) return resume(purpose, token, browser);
    }
    const picked = read.pick(params);
    return picked && begin(picked, extraParams(params), request, browser);
  };
};
