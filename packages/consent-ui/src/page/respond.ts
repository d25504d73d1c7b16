import type { ReactElement } from 'react';
import type { Brand } from '../brand/brand.ts';
import { scriptHash } from '../script/page-script.ts';
import type { View } from './view.ts';

/**
 * No `form-action`: Chrome and Safari apply it to the redirects that follow a post too, and those end at the client,
 * wherever that
 * is. Injected markup could post elsewhere only if there were any, and nothing here is written to a page unescaped.
 */
const contentSecurityPolicy = ({ styleHash, foreignLogo }: Brand, imageHost: string | undefined): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `script-src 'sha256-${scriptHash}'`,
    ['img-src', "'self'", foreignLogo?.origin, imageHost].filter(Boolean).join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const headers = {
  'cache-control': 'no-store',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** The headers of a file of JSON. */
export const jsonHeaders = {
  ...headers,
  'content-type': 'application/json',
  'content-security-policy': "default-src 'none'",
};

export interface ResponseExtras {
  readonly status?: number;
  /** A Set-Cookie value. */
  readonly cookie?: string | undefined;
  /** More Set-Cookie values. */
  readonly cookies?: readonly string[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** The origin of a picture on the page, beside this site. */
  readonly imageHost?: string | undefined;
}

/** Responds with a page as HTML, with the common headers. */
export const respond = async (view: View, page: ReactElement, extras: ResponseExtras = {}): Promise<Response> => {
  // Next.js refuses a static import of react-dom/server in an app route.
  const { renderToStaticMarkup } = await import('react-dom/server');
  const all = new Headers({ ...headers, 'content-type': 'text/html; charset=utf-8' });
  all.set('content-security-policy', contentSecurityPolicy(view.brand, extras.imageHost));
  for (const cookie of [view.cookie, extras.cookie, ...(extras.cookies ?? [])]) {
    if (cookie) all.append('set-cookie', cookie);
  }
  if (extras.retryAfterSeconds) all.set('retry-after', String(extras.retryAfterSeconds));
  return new Response(`<!doctype html>${renderToStaticMarkup(page)}`, { status: extras.status ?? 200, headers: all });
};

/** Redirects with 303: the browser must not repeat the POST, with the password, at the next URL. */
export const seeOther = (location: string, ...cookies: readonly (string | undefined)[]): Response => {
  const all = new Headers({ ...headers, location, 'content-security-policy': "default-src 'none'" });
  for (const cookie of cookies) if (cookie) all.append('set-cookie', cookie);
  return new Response(null, { status: 303, headers: all });
};
