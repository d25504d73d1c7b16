import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IDToken, TokenEndpointResponse } from 'openid-client';

export interface Session {
  /** Logins under way in this browser, by `state`: one for each tab. */
  readonly pending: Map<string, { readonly codeVerifier: string; readonly nonce: string }>;
  login?: { claims: IDToken; idToken: string; tokens: TokenEndpointResponse; refreshes: number };
}

const cookieName = 'relying_party';
const maximumSessions = 1000;
const maximumPending = 20;

/** Sessions in memory, by an HttpOnly cookie; the oldest makes room for a new one. */
export const createSessions = () => {
  const sessions = new Map<string, Session>();
  const idOf = (request: IncomingMessage) =>
    new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]{43})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1] ?? '';

  return {
    find: (request: IncomingMessage): Session | undefined => sessions.get(idOf(request)),
    /** A new id, and the old one is forgotten: an id from before the login is worth nothing after it. */
    renew: (request: IncomingMessage, response: ServerResponse, session: Session): void => {
      sessions.delete(idOf(request));
      const [oldest] = sessions.keys();
      if (oldest !== undefined && sessions.size >= maximumSessions) sessions.delete(oldest);
      const id = randomBytes(32).toString('base64url');
      sessions.set(id, session);
      response.setHeader('set-cookie', `${cookieName}=${id}; Path=/; HttpOnly; SameSite=Lax`);
    },
    end: (request: IncomingMessage, response: ServerResponse): void => {
      sessions.delete(idOf(request));
      response.setHeader('set-cookie', `${cookieName}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`);
    },
  };
};

/** Notes a login that begins; the oldest one that was never finished makes room. */
export const addPending = (session: Session, state: string, checks: { codeVerifier: string; nonce: string }): void => {
  const [oldest] = session.pending.keys();
  if (oldest !== undefined && session.pending.size >= maximumPending) session.pending.delete(oldest);
  session.pending.set(state, checks);
};
