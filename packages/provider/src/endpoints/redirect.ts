import type { LeanRequest, LeanResponse } from './fast-endpoint.ts';

/** What Koa sends as it is, and needs no escaping in HTML but for `&`. */
const plain = /^[a-z][a-z0-9+.-]*:(?:[\w\-.~:/?[\]@!$&()*+,;=]|%[\da-f]{2})*$/i;

export const isPlainLocation = (url: string): boolean => plain.test(url);

/** A browser, as far as it says what it wants: the first of it is a page, or anything. */
export const wantsPage = ({ req: { headers } }: LeanRequest): boolean => {
  const { accept } = headers;
  return accept === undefined || accept === '*/*' || accept === 'text/html' || accept.startsWith('text/html,');
};

export interface Redirect {
  readonly status: 302 | 303;
  /** Plain. */
  readonly location: string;
  readonly cookies: readonly string[];
}

export const redirect = ({ status, location, cookies }: Redirect): LeanResponse => ({
  status,
  headers: { Location: location, 'Content-Type': 'text/html; charset=utf-8', 'Set-Cookie': cookies as string[] },
  body: `Redirecting to ${location.replaceAll('&', '&amp;')}.`,
});
