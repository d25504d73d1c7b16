import type { StorageAdapter } from '@carnet/adapter-contract';
import { CarnetError } from '../../errors.ts';
import type { LogoutState, LogoutTokens } from '../../flow/logout-tokens.ts';
import { issuerUrl, logoutPath, urlWith } from '../../flow/urls.ts';
import { redirect } from '../../http/redirect.ts';
import type { HttpResponse } from '../../http/types.ts';
import { type Browser, readBrowserSession } from '../../interaction/browser.ts';
import { pages } from '../../interaction/pages.ts';
import type { SigningKeys } from '../../keys/signing/signing-keys.ts';
import { maxQueryLength, quotedName } from '../../library/request-limits.ts';
import { readSessions } from '../../sessions/session-clients.ts';
import { snapshotOf } from '../../sessions/session-record.ts';
import type { IdTokenHint } from '../../tokens/id-token-hint.ts';
import type { PublicEndpoint } from '../endpoint.ts';
import { visitOf } from '../visit.ts';
import { createEndVisit, type EndVisitDependencies } from './end-visit.ts';
import { parseLogoutRequest, refuseLogout } from './logout-request.ts';

export interface LogoutDependencies extends EndVisitDependencies {
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
  readonly options: EndVisitDependencies['options'] & {
    readonly urls: { readonly logout?: string };
    /** Seconds. */
    readonly ttl: { readonly loginConsentRequest: number };
  };
  readonly logoutTokens: LogoutTokens;
  readonly signingKeys: SigningKeys;
}

/** Whether a hint was issued in this session, or in one that it continues. */
const isOf = async ({ uow }: Browser, { sid }: { readonly sid: string }, hint: IdTokenHint): Promise<boolean> => {
  if (hint.sid === sid) return true;
  const sessions = await readSessions(uow.read, sid);
  return sessions.some((each) => each.sid === hint.sid);
};

/**
 * `GET` and `POST /oauth2/sessions/logout` (RP-Initiated Logout 1.0), with a sealed challenge for the logout page. Nothing is
 * stored before the session ends.
 */
export const createLogoutEndpoint = (deps: LogoutDependencies): PublicEndpoint => {
  const { options, jar, clients, logoutTokens, signingKeys: keys } = deps;
  const { end, finish } = createEndVisit(deps);

  const toLogoutPage = options.urls.logout === undefined ? undefined : urlWith(options.urls.logout, 'logout_challenge');

  const begin = async (visit: Browser, params: URLSearchParams): Promise<HttpResponse> => {
    const { hint, clientId, redirectTo } = await parseLogoutRequest(params, { keys, clients, issuer: options.issuer });
    const record = await readBrowserSession(visit, jar);
    if (record === undefined) return finish(redirectTo);
    const session = snapshotOf(record);
    // Only an ID token of this very session replaces the user's confirmation (section 2).
    const rpInitiated = hint !== undefined && (await isOf(visit, session, hint));
    const requestedAt = Math.floor(deps.now() / 1000);
    const state: LogoutState = {
      sid: session.sid,
      subject: session.subject,
      clientId,
      rpInitiated,
      redirectTo,
      requestedAt,
      expiresAt: requestedAt + options.ttl.loginConsentRequest,
    };
    if (toLogoutPage) return redirect(302, toLogoutPage(logoutTokens.seal('logout_challenge', state)));
    // Without a logout page the user can't be asked.
    if (rpInitiated) return end(visit, record, state);
    return hint ? finish(redirectTo) : refuseLogout('No logout page is configured: set urls.logout (URLS_LOGOUT).');
  };

  const resume = async (visit: Browser, verifier: string): Promise<HttpResponse> => {
    const opened = logoutTokens.open('logout_verifier', verifier);
    if (opened.status !== 'open') return pages.invalidLink();
    const { state } = opened;
    const record = await readBrowserSession(visit, jar);
    // The one step against forged logout links: only the browser that holds the session ends it.
    const isHolder = record !== undefined && snapshotOf(record).sid === state.sid;
    return isHolder ? end(visit, record, state) : finish(state.redirectTo);
  };

  return (request) => {
    const { params } = request;
    for (const name of params.keys())
      if (params.getAll(name).length > 1) refuseLogout(`${quotedName(name)} is given more than once.`);
    const visit = visitOf(request, deps);
    if (request.method === 'POST' && !jar.session.present(visit.cookieHeader)) {
      // The browser sends no session cookie with a POST from another site (SameSite=Lax). After this redirect it does.
      if (`${params}`.length > maxQueryLength)
        throw new CarnetError('payload_too_large', `the parameters are longer than ${maxQueryLength} characters`);
      return redirect(303, `${issuerUrl(options.issuer, logoutPath).href}?${params}`);
    }
    const verifier = params.get('logout_verifier');
    return verifier === null ? begin(visit, params) : resume(visit, verifier);
  };
};
