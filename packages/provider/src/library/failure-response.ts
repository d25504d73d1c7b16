import { CarnetError, type ErrorCode } from '../errors.ts';
import { logoutPath } from '../flow/urls.ts';
import { renderError } from '../http/error-body.ts';
import type { HttpResponse } from '../http/types.ts';
import { pages } from '../interaction/pages.ts';
import { OAuthError, oauthErrorBody } from '../oauth-error.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Paths } from './paths.ts';

interface FailedRequest {
  readonly path: string;
  readonly requestId: string;
}

/** Codes with status 503 that callers cause: they do not show that Carnet is unhealthy. */
const notOurs: ReadonlySet<unknown> = new Set<ErrorCode>(['too_busy', 'client_document_unavailable']);

const pageOf = (json: HttpResponse, { path, requestId }: FailedRequest): HttpResponse => {
  const { error, error_description: description } = json.body as { error: string; error_description: string };
  const about = path === logoutPath ? 'sign-out' : 'sign-in';
  const page = pages.error({ status: json.status, error, description, about, requestId });
  return { ...page, headers: { ...json.headers, ...page.headers } };
};

const retry = { 'Retry-After': '1' };

const responseOf = (error: OAuthError): HttpResponse => ({
  status: error.status,
  headers: { ...(error.status === 503 ? retry : {}), ...error.headers },
  body: oauthErrorBody(error),
});

/** The response to a request that has failed. The failure is logged if it is the server's. */
export type FailureResponse = (error: unknown, request: FailedRequest) => HttpResponse;

export const createFailureResponse =
  ({
    paths: { isForBrowsers },
    logger,
  }: {
    readonly paths: Pick<Paths, 'isForBrowsers'>;
    readonly logger: Logger;
  }): FailureResponse =>
  (error, { path, requestId }) => {
    if (error instanceof OAuthError) {
      if (error.error === 'server_error') logger.error({ err: error, requestId }, 'server_error');
      return responseOf(error);
    }
    const json = renderError(error, requestId);
    // Errors of the client, and too many requests, are not logged.
    const isOurs = json.status >= 500 && !(error instanceof CarnetError && notOurs.has(error.code));
    if (isOurs) logger.error({ err: error, requestId }, 'request failed');
    return isForBrowsers(path) ? pageOf(json, { path, requestId }) : json;
  };
