import { CarnetError, GoneError } from '../errors.ts';
import type { HttpResponse, ResponseHeaders } from './types.ts';

export const jsonContentType = 'application/json; charset=utf-8';

/** What a status needs beside its body. Retry-After is in seconds. */
const headersOf: Readonly<Record<number, ResponseHeaders>> = {
  401: { 'WWW-Authenticate': 'Bearer' },
  429: { 'Retry-After': '10' },
  503: { 'Retry-After': '1' },
};

/**
 * An error as the admin API and the token endpoint answer it: `error` and `error_description`, or for a challenge that is over `redirect_to`.
 * What is not a CarnetError is our bug: 500, and nothing of it is told but the id under which the log has it.
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
  const description = `Something went wrong here. The server's log has it under request id ${requestId}.`;
  return { status: 500, body: { error: 'server_error', error_description: description } };
};
