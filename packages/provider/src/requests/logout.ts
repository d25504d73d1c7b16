import type { OAuth2Client } from '../clients/client-record.ts';
import { GoneError } from '../errors.ts';
import type { LogoutState } from '../flow/logout-tokens.ts';
import { issuerUrl, logoutPath, urlWith } from '../flow/urls.ts';
import { notFound, type Redirect, type RequestsDependencies } from './challenge.ts';

export interface LogoutRequest {
  readonly challenge: string;
  readonly subject: string;
  readonly sid: string;
  /** Whether the client sent an ID token of the session. */
  readonly rpInitiated: boolean;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
  /**
   * The client that the request names. Unless `rpInitiated` any page may have named it, so its `skip_logout_consent` is
   * false then.
   */
  readonly client?: OAuth2Client;
}

/**
 * The logout requests that Carnet redirects browsers to your logout page with. All three functions throw CarnetError
 * `not_found` for a challenge that is not valid, and GoneError with `redirectTo` for one that has expired.
 */
export interface LogoutRequests {
  /** Gets the request of a `logout_challenge`. */
  get(challenge: string): Promise<LogoutRequest>;
  /** Ends the session, once the browser has followed `redirectTo`. */
  accept(challenge: string): Promise<Redirect>;
  /**
   * Keeps the session. Carnet has stored nothing for the request, and does not redirect: your page decides what to
   * show.
   */
  reject(challenge: string): Promise<void>;
}

const dateOf = (seconds: number): Date => new Date(seconds * 1000);

export const createLogoutRequests = ({ issuer, clients, logoutTokens }: RequestsDependencies): LogoutRequests => {
  const start = issuerUrl(issuer, logoutPath);
  const toLogout = urlWith(start, 'logout_verifier');

  const open = (challenge: string): LogoutState => {
    const opened = logoutTokens.open('logout_challenge', challenge);
    if (opened.status === 'invalid') throw notFound();
    if (opened.status === 'open') return opened.state;
    throw new GoneError(start.href, 'The logout request has expired. Start again.');
  };

  return {
    async get(challenge) {
      const { clientId, subject, sid, rpInitiated, requestedAt, expiresAt } = open(challenge);
      const client = clientId === undefined ? undefined : (await clients.find(clientId))?.metadata;
      return {
        challenge,
        subject,
        sid,
        rpInitiated,
        requestedAt: dateOf(requestedAt),
        expiresAt: dateOf(expiresAt),
        client: client && !rpInitiated ? { ...client, skip_logout_consent: false } : client,
      };
    },
    async accept(challenge) {
      return { redirectTo: toLogout(logoutTokens.seal('logout_verifier', open(challenge))) };
    },
    async reject(challenge) {
      open(challenge);
    },
  };
};
