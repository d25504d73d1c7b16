import type { ResponseHeaders } from './types.ts';

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
