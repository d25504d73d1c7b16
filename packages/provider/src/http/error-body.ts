import { CarnetError, GoneError } from '../errors.ts';
import type { HttpResponse, ResponseHeaders } from './types.ts';

export const jsonContentType = 'application/json; charset=utf-8';

/** The headers of a status. Retry-After is in seconds. */
const headersOf: Readonly<Record<number, ResponseHeaders>> = {
  401: { 'WWW-Authenticate': 'Bearer' },
  429: { 'Retry-After': '10' },
  503: { 'Retry-After': '1' },
};

/**
 * The response of the admin API and the token endpoint to an error: `error` and `error_description`, or `redirect_to`
 * for a challenge that
 * has expired or was used.
 * Any other error than a CarnetError is a bug in Carnet: 500, with the request id only. The log has the details.
 */
export const renderError = (error: unknown, requestId: string): HttpResponse => {
  if (error instanceof GoneError) return { status: error.status, body: { redirect_to: error.redirectTo } };
  if (error instanceof CarnetError) {
    return {
      status: error.status,
      headers: headersOf[error.status],
      body: { error: error.error, error_description: error.description },
    };
  }
  const description = `The server had an internal error. Its log has the details under request id ${requestId}.`;
  return { status: 500, body: { error: 'server_error', error_description: description } };
};
