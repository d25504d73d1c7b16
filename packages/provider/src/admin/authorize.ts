import { hash, timingSafeEqual } from 'node:crypto';
import { CarnetError } from '../errors.ts';
import type { HttpRequest } from '../http/types.ts';

export interface AdminAuthorizeOptions {
  /** The bearer token that every call has to carry. `undefined`: none, which is for loopback only. */
  readonly token: string | undefined;
}

const bearer = /^Bearer +([\x21-\x7e]+) *$/i;

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/**
 * Without a token anything on this machine may call, a browser that shows a hostile page included: it can send a POST
 * that needs no preflight, as bodies are read whatever their Content-Type. What gives it away are the headers that
 * pages can't suppress; SDKs and servers send neither.
 */
const assertNoPage = ({ headers }: HttpRequest): void => {
  const site = headers['sec-fetch-site'];
  if (headers.origin === undefined && (site === undefined || site === 'none' || site === 'same-origin')) return;
  throw new CarnetError(
    'request_forbidden',
    'The admin API takes no requests from web pages unless an admin token is set.',
  );
};

/**
 * Authorizes a caller of the admin API: one with the token or, if none is configured, any program on this machine.
 * @returns what throws CarnetError `unauthorized` (401) or `request_forbidden` (403)
 */
export const createAdminAuthorize = ({ token }: AdminAuthorizeOptions): ((request: HttpRequest) => void) => {
  const expected = token === undefined ? undefined : digest(token);
  return (request) => {
    if (expected === undefined) {
      assertNoPage(request);
      return;
    }
    const given = bearer.exec(request.headers.authorization ?? '')?.[1];
    // Digests have one length, and are compared in constant time: neither tells how much of a guess was right.
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return;
    throw new CarnetError('unauthorized', 'Send the admin token: "Authorization: Bearer ...".');
  };
};
