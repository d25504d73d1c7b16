import { CarnetError, type ErrorCode } from '../errors.ts';
import { logoutPath } from '../flow/urls.ts';
import { redirect } from '../http/redirect.ts';
import { renderError } from '../http/response.ts';
import type { HttpResponse } from '../http/types.ts';
import { errorPageUrl, pages } from '../interaction/pages.ts';
import { toOAuthError } from '../library/asked-context.ts';
import { OAuthError, oauthErrorBody } from '../oauth-error.ts';
import type { EndpointDependencies } from './dependencies.ts';
import type { EndpointRequest } from './endpoint.ts';

type FailedRequest = Pick<EndpointRequest, 'path' | 'requestId'>;

/** Codes with status 503 that callers cause: they do not show that Carnet is unhealthy. */
const notOurs: ReadonlySet<unknown> = new Set<ErrorCode>(['too_busy', 'client_document_unavailable']);

type Refusal = HttpResponse & { readonly body: { readonly error: string; readonly error_description?: string } };

/** @param errorUrl the operator's error page (`urls.error`), for a request that is wrong. Absent: a page of ours. */
const pageOf = (json: Refusal, { path, requestId }: FailedRequest, errorUrl?: string): HttpResponse => {
  const { status, headers } = json;
  const { error, error_description: description = '' } = json.body;
  if (status === 400 && errorUrl !== undefined)
    return redirect(302, errorPageUrl(errorUrl, { error, description, requestId }));
  const page = pages.error({
    status,
    error,
    description,
    about: path === logoutPath ? 'sign-out' : 'sign-in',
    requestId,
  });
  return { ...page, headers: { ...headers, ...page.headers } };
};

const retry = { 'Retry-After': '1' };

const responseOf = (error: OAuthError): HttpResponse => ({
  status: error.status,
  headers: { ...(error.status === 503 ? retry : {}), ...error.headers },
  body: oauthErrorBody(error),
});

/** The response to a request that has failed. The failure is logged if it is the server's. */
export const createFailureResponse =
  ({ paths: { isForBrowsers }, options, logger, audit }: EndpointDependencies) =>
  (thrown: unknown, request: FailedRequest): HttpResponse => {
    const { path, requestId } = request;
    const error = toOAuthError(thrown);
    const json = error instanceof OAuthError ? responseOf(error) : renderError(error, requestId);
    // Errors of the client, and too many requests, are not logged.
    const isOurs = json.status >= 500 && !(error instanceof CarnetError && notOurs.has(error.code));
    if (isOurs || (error instanceof OAuthError && error.error === 'server_error'))
      logger.error({ err: error, requestId }, 'request failed');
    if (!isForBrowsers(path)) return json;
    if (!(error instanceof OAuthError)) return pageOf(json as Refusal, request);
    audit({ action: 'browser.request', outcome: 'denied', reason: error.error, requestId });
    return pageOf(json as Refusal, request, options.urls.error);
  };
