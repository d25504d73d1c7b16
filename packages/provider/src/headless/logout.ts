import { CarnetError, GoneError } from '../errors.ts';
import type { LogoutState, LogoutTokens } from '../flow/logout-tokens.ts';
import { issuerUrl, logoutPath, urlWith } from '../flow/urls.ts';
import type { HttpRequest, Route } from '../http/types.ts';
import { challengeOf } from './challenge.ts';
import { headlessDescriptions as about } from './descriptions.ts';
import type { HeadlessDependencies } from './index.ts';

const prefix = '/admin/oauth2/auth/requests/logout';
const timestamp = (seconds: number): string => new Date(seconds * 1000).toISOString();

export type LogoutDependencies = Pick<HeadlessDependencies, 'issuer' | 'clients'> & {
  readonly logoutTokens: LogoutTokens;
};

/** The headless logout API. A rejected logout leaves nothing behind: there was nothing but the challenge. */
export const logoutRoutes = ({ issuer, clients, logoutTokens }: LogoutDependencies): Route[] => {
  const backTo = urlWith(issuerUrl(issuer, logoutPath), 'logout_verifier');

  const open = (request: HttpRequest): { challenge: string; state: LogoutState } => {
    const challenge = challengeOf(request, 'logout_challenge');
    const opened = logoutTokens.open('logout_challenge', challenge);
    if (opened.status === 'invalid') throw new CarnetError('not_found', '');
    if (opened.status === 'expired') {
      throw new GoneError(issuerUrl(issuer, logoutPath).href, 'The logout request has expired. Start again.');
    }
    return { challenge, state: opened.state };
  };

  const get: Route['handle'] = async (request) => {
    const { challenge, state } = open(request);
    const record = state.clientId === undefined ? undefined : await clients.find(state.clientId);
    return {
      status: 200,
      body: {
        challenge,
        subject: state.subject,
        sid: state.sid,
        request_url: logoutPath,
        rp_initiated: state.rpInitiated,
        requested_at: timestamp(state.requestedAt),
        expires_at: timestamp(state.expiresAt),
        // Anybody can name a client: only its ID token speaks for it, and for skipping the question.
        client: record ? { ...record.metadata, ...(state.rpInitiated ? {} : { skip_logout_consent: false }) } : null,
      },
    };
  };

  const accept: Route['handle'] = (request) => {
    const verifier = logoutTokens.seal('logout_verifier', open(request).state);
    return { status: 200, body: { redirect_to: backTo(verifier) } };
  };

  const reject: Route['handle'] = (request) => {
    open(request);
    return { status: 204 };
  };

  return [
    { method: 'GET', path: prefix, description: about.getLogout, handle: get },
    { method: 'PUT', path: `${prefix}/accept`, description: about.acceptLogout, handle: accept },
    { method: 'PUT', path: `${prefix}/reject`, description: about.rejectLogout, handle: reject },
  ];
};
