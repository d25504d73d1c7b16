import type { ServerResponse } from 'node:http';
import { jsonContentType } from './error-body.ts';
import type { HttpResponse, ResponseHeaders } from './types.ts';

/** Writes a complete response. Its headers override `defaults`. Does nothing if the response was already sent. */
export const sendResponse = (target: ServerResponse, response: HttpResponse, defaults: ResponseHeaders): void => {
  if (target.headersSent || target.destroyed) return;
  const { status, body } = response;
  const headers: Record<string, string | string[] | number> = { ...defaults, ...response.headers };
  // It belongs to `no-store` (RFC 6749, section 5.1).
  if (response.headers?.['Cache-Control'] !== undefined) delete headers.Pragma;
  if (body === undefined) {
    if (status !== 204 && status !== 304) headers['Content-Length'] = 0;
    target.writeHead(status, headers).end();
    return;
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  headers['Content-Type'] ??= jsonContentType;
  headers['Content-Length'] = Buffer.byteLength(text);
  target.writeHead(status, headers).end(text);
};
