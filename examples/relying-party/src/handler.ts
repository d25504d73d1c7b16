import type { IncomingMessage, ServerResponse } from 'node:http';
import * as oidc from 'openid-client';
import { errorPage, signedInPage, signedOutPage } from './pages.ts';
import { scope } from './provider.ts';
import { addPending, createSessions, type Session } from './sessions.ts';

export interface HandlerOptions {
  readonly configuration: oidc.Configuration;
  readonly baseUrl: URL;
}

const codeOf = (error: unknown): string => {
  const isOAuth = error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError;
  return isOAuth ? error.error : 'sign_in_failed';
};

const toText = (error: unknown): string => {
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError) {
    return error.error_description ?? error.error;
  }
  return error instanceof Error ? error.message : String(error);
};

const redirect = (response: ServerResponse, location: string): void => {
  response.writeHead(303, { location, 'cache-control': 'no-store' }).end();
};

const send = (response: ServerResponse, status: number, html: string): void => {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
  response.writeHead(status, headers).end(html);
};

/** The application: `/` shows who is signed in; `/login`, `/callback`, `/refresh` and `/logout` are the legs of OpenID Connect. */
export const createHandler = ({ configuration, baseUrl }: HandlerOptions) => {
  const sessions = createSessions();
  const redirectUri = new URL('callback', baseUrl).href;

  const home = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const login = sessions.find(request)?.login;
    if (!login) return send(response, 200, signedOutPage(configuration.serverMetadata().issuer));
    const userInfo = await oidc.fetchUserInfo(configuration, login.tokens.access_token, login.claims.sub).catch(toText);
    send(response, 200, signedInPage(login, userInfo));
  };

  const login = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const session: Session = sessions.find(request) ?? { pending: new Map() };
    const [codeVerifier, state, nonce] = [oidc.randomPKCECodeVerifier(), oidc.randomState(), oidc.randomNonce()];
    const codeChallenge = await oidc.calculatePKCECodeChallenge(codeVerifier);
    addPending(session, state, { codeVerifier, nonce });
    if (!sessions.find(request)) sessions.renew(request, response, session);
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    redirect(response, url.href);
  };

  const callback = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', baseUrl);
    const session = sessions.find(request);
    const state = url.searchParams.get('state') ?? '';
    const checks = session?.pending.get(state);
    // A response nobody here asked for could log this browser in as somebody else.
    if (!session || !checks) throw new Error('This sign-in did not begin in this browser, or it is already finished.');
    session.pending.delete(state);
    const tokens = await oidc.authorizationCodeGrant(configuration, url, {
      pkceCodeVerifier: checks.codeVerifier,
      expectedState: state,
      expectedNonce: checks.nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims || !tokens.id_token) throw new Error('The provider sent no ID token.');
    session.login = { claims, idToken: tokens.id_token, tokens, refreshes: 0 };
    sessions.renew(request, response, session);
    redirect(response, '/');
  };

  const refresh = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const login = sessions.find(request)?.login;
    if (!login?.tokens.refresh_token) throw new Error('There is no refresh token: sign in and allow offline_access.');
    const fresh = await oidc.refreshTokenGrant(configuration, login.tokens.refresh_token);
    login.tokens = { ...login.tokens, ...fresh };
    login.claims = fresh.claims() ?? login.claims;
    login.idToken = fresh.id_token ?? login.idToken;
    login.refreshes += 1;
    redirect(response, '/');
  };

  const logout = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const idToken = sessions.find(request)?.login?.idToken;
    sessions.end(request, response);
    if (!idToken || !configuration.serverMetadata().end_session_endpoint) return redirect(response, '/');
    const parameters = { id_token_hint: idToken, post_logout_redirect_uri: baseUrl.href };
    redirect(response, oidc.buildEndSessionUrl(configuration, parameters).href);
  };

  const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>> = {
    'GET /': home,
    'GET /login': login,
    'GET /callback': callback,
    // By POST, which SameSite=Lax cookies do not accompany from other sites.
    'POST /refresh': refresh,
    'POST /logout': logout,
  };

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?')[0];
    // Cookies belong to one name: by another (localhost for 127.0.0.1) the way back would find none.
    if (request.headers.host !== baseUrl.host) return redirect(response, baseUrl.href);
    try {
      const route = routes[`${request.method} ${path}`];
      if (!route) return send(response, 404, errorPage('not_found', 'There is no such page.'));
      await route(request, response);
    } catch (error) {
      send(response, 400, errorPage(codeOf(error), toText(error)));
    }
  };
};
