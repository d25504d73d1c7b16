import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { CarnetError, GoneError } from '../errors.ts';
import type { HttpResponse, ResponseHeaders } from './types.ts';

export const jsonContentType = 'application/json; charset=utf-8';

/** The headers of every response. A page that needs more sends its own Content-Security-Policy. */
export const securityHeaders: ResponseHeaders = Object.freeze({
  'Cache-Control': 'no-store',
  // RFC 6749, section 5.1.
  Pragma: 'no-cache',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "frame-ancestors 'none'",
});

const adminGetHeaders: ResponseHeaders = Object.freeze({
  ...securityHeaders,
  'Cache-Control': 'private, no-cache, no-store, must-revalidate',
});

/** The same for the admin API. Its GET responses have the longer Cache-Control of Hydra. */
export const adminSecurityHeaders = (method: string): ResponseHeaders =>
  method === 'GET' || method === 'HEAD' ? adminGetHeaders : securityHeaders;

/** The headers of a status. Retry-After is in seconds. */
const headersOf: Readonly<Record<number, ResponseHeaders>> = {
  401: { 'WWW-Authenticate': 'Bearer' },
  429: { 'Retry-After': '10' },
  503: { 'Retry-After': '1' },
};

/**
 * The response of the admin API and the token endpoint to an error: `error` and `error_description`, or `redirect_to` for a
 * challenge that has expired or was used. Any other error than a CarnetError is a bug in Carnet: 500, with the request id
 * only. The log has the details.
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

/** A response as it is sent. Without `text` it has no body. */
export interface CompleteResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number>>;
  readonly text?: string;
}

/** Answers a request to an endpoint. `hostHeaders` are those that the host application has set on the response. */
export type EndpointHandler = (
  message: IncomingMessage,
  hostHeaders: OutgoingHttpHeaders,
  requestId: string,
) => Promise<CompleteResponse>;

/** A response with all of its headers. Its own override `defaults`. */
export const completeResponse = (
  { status, headers: own, body }: HttpResponse,
  defaults: ResponseHeaders,
): CompleteResponse => {
  const headers: Record<string, string | string[] | number> = { ...defaults, ...own };
  // It belongs to `no-store` (RFC 6749, section 5.1).
  if (own?.['Cache-Control'] !== undefined) delete headers.Pragma;
  if (body === undefined) {
    if (status !== 204 && status !== 304) headers['Content-Length'] = 0;
    return { status, headers };
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  headers['Content-Type'] ??= jsonContentType;
  headers['Content-Length'] = Buffer.byteLength(text);
  return { status, headers, text };
};

/** Writes a response. Does nothing if one was already sent. */
export const sendResponse = (target: ServerResponse, { status, headers, text }: CompleteResponse): void => {
  if (target.headersSent || target.destroyed) return;
  target.removeHeader('Transfer-Encoding');
  // ASCII text has the same bytes in Latin-1, which Node.js writes faster.
  const encoding = headers['Content-Length'] === text?.length ? 'latin1' : 'utf8';
  target.writeHead(status, headers).end(text, encoding);
};
