import { type BeginDependencies, createBeginning } from '../interaction/begin.ts';
import { verifierParams } from '../interaction/flow-middleware.ts';
import { createGoingOn, type GoOnDependencies } from '../interaction/resume.ts';
import { maxQueryLength, problemOfParams } from '../library/request-limits.ts';
import type { LeanEndpoint, LeanRequest } from './fast-endpoint.ts';
import { parsePlainForm } from './form-params.ts';
import { isPlainLocation, wantsPage } from './redirect.ts';

export type AuthorizationDependencies = BeginDependencies & GoOnDependencies;

/** Parameters within the limits of requests. What comes behind a `#` is read by nobody. */
const paramsOf = ({ query }: LeanRequest): ReadonlyMap<string, string> | undefined => {
  if (query.length > maxQueryLength || query.includes('#')) return undefined;
  const params = parsePlainForm(query);
  return params && problemOfParams(params) === undefined ? params : undefined;
};

/** The three visits of a browser that logs in: with the request, from the login page, and from the consent page. */
export const createAuthorizationEndpoint = (deps: AuthorizationDependencies): LeanEndpoint => {
  const { urls } = deps.options;
  const begin = createBeginning(deps);
  const goOn = createGoingOn(deps);
  if (![urls.login, urls.consent].every((url) => isPlainLocation(new URL(url).href))) return () => undefined;

  return (request) => {
    const params = wantsPage(request) ? paramsOf(request) : undefined;
    if (params === undefined) return undefined;
    for (const purpose of verifierParams) {
      const token = params.get(purpose);
      if (token !== undefined) return goOn(purpose, token, request.req.headers.cookie);
    }
    return begin(params, request.req);
  };
};
