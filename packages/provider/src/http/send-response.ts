import type { ServerResponse } from 'node:http';
import { jsonContentType } from './error-body.ts';
import type { HttpResponse, ResponseHeaders } from './types.ts';

/** A response as it is sent. Without `text` it has no body. */
export interface CompleteResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number>>;
  readonly text?: string;
}

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
  target.writeHead(status, headers).end(text);
};
