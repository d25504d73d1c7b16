import { createHash } from 'node:crypto';
import type { ReactElement } from 'react';
import { stylesheet } from './stylesheet.ts';

const styleHash = createHash('sha256').update(stylesheet).digest('base64');

/**
 * No `form-action`: Chrome and Safari apply it to the redirects that follow a post too, and those end at the client,
 * wherever that
 * is. Injected markup could post elsewhere only if there were any, and nothing here is written to a page unescaped.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': contentSecurityPolicy,
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

export interface ResponseExtras {
  readonly status?: number;
  /** A Set-Cookie value. */
  readonly cookie?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** Responds with a page as HTML without JavaScript, with the common headers. */
export const respond = async (page: ReactElement, extras: ResponseExtras = {}): Promise<Response> => {
  // Next.js refuses a static import of react-dom/server in an app route.
  const { renderToStaticMarkup } = await import('react-dom/server');
  const all = new Headers({ ...headers, 'content-type': 'text/html; charset=utf-8' });
  if (extras.cookie) all.append('set-cookie', extras.cookie);
  if (extras.retryAfterSeconds) all.set('retry-after', String(extras.retryAfterSeconds));
  return new Response(`<!doctype html>${renderToStaticMarkup(page)}`, { status: extras.status ?? 200, headers: all });
};

/** Redirects with 303: the browser must not repeat the POST, with the password, at the next URL. */
export const seeOther = (location: string, cookie?: string): Response => {
  const all = new Headers({ ...headers, location });
  if (cookie) all.append('set-cookie', cookie);
  return new Response(null, { status: 303, headers: all });
};
