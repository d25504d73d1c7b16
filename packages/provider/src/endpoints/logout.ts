import type { FoundRecord } from '@carnet/adapter-contract';
import { findOrUnread } from '../clients/find-or-unread.ts';
import { CarnetError } from '../errors.ts';
import type { LogoutState } from '../flow/logout-tokens.ts';
import { issuerUrl, logoutPath, urlWith } from '../flow/urls.ts';
import { redirect } from '../http/redirect.ts';
import type { HttpResponse } from '../http/types.ts';
import { type Browser, readBrowserSession } from '../interaction/browser.ts';
import { pages } from '../interaction/pages.ts';
import { maxQueryLength, quotedName } from '../library/request-limits.ts';
import { invalidRequest } from '../oauth-error.ts';
import { endSession } from '../sessions/end-session.ts';
import { readSessionClients, readSessions, type SessionClient } from '../sessions/session-clients.ts';
import { snapshotOf } from '../sessions/session-record.ts';
import { conflictName } from '../storage/stopped-commit.ts';
import { type IdTokenHint, openIdTokenHint } from '../tokens/id-token.ts';
import type { EndpointDependencies } from './dependencies.ts';
import { type PublicEndpoint, visitOf } from './endpoint.ts';

/** A browser loads no more frames for one logout. Further clients are notified by the back channel only. */
const maxFrames = 40;

const urlFor = async (
  { options, clients }: Pick<EndpointDependencies, 'options' | 'clients'>,
  { sid, clientId }: SessionClient,
) => {
  const metadata = (await findOrUnread(clients, clientId))?.metadata;
  if (metadata?.frontchannel_logout_uri === undefined) return undefined;
  const { frontchannel_logout_uri: uri } = metadata;
  // Every client gets both, required or not, as in Hydra: a client that compares them is safe from forged logouts.
  // The registered query stays as it is (Front-Channel Logout 1.0, section 2).
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ iss: options.issuer, sid })}`;
};

/** The URLs that the browser loads so that clients sign the user out (Front-Channel Logout 1.0), each once. */
const frontchannelUrls = async (
  deps: Pick<EndpointDependencies, 'options' | 'clients'>,
  members: readonly SessionClient[],
): Promise<readonly string[]> => {
  const urls = new Set<string>();
  // A session may have any number of clients: they are looked up in batches.
  for (let at = 0; at < members.length && urls.size < maxFrames; at += maxFrames) {
    const found = await Promise.all(members.slice(at, at + maxFrames).map((each) => urlFor(deps, each)));
    for (const url of found) if (url !== undefined) urls.add(url);
  }
  return [...urls].slice(0, maxFrames);
};

/** The visit in which a browser's session ends, and where the browser goes afterwards. */
const createEndVisit = ({ options, clients, jar, deliveries, audit, now }: EndpointDependencies) => {
  const finish = (redirectTo = options.urls.postLogoutRedirect): HttpResponse =>
    redirectTo === undefined ? pages.loggedOut() : redirect(302, redirectTo);

  const end = async ({ uow }: Browser, record: FoundRecord, state: LogoutState): Promise<HttpResponse> => {
    const members = await readSessionClients(uow.read, state.sid);
    const frames = await frontchannelUrls({ options, clients }, members);
    const { ended, writes } = endSession(record, now());
    for (const write of writes) uow.write(write);
    const conflict = await uow.commit();
    // Signed out twice at once: the same response is sent.
    if (conflict && conflictName(conflict) !== 'consume:session')
      throw new CarnetError('server_error', `unforeseen conflict: ${conflictName(conflict)}`);
    if (conflict === undefined) {
      deliveries.announce(ended);
      audit({ action: 'logout', outcome: 'success', clientId: state.clientId, subject: state.subject });
    }
    const redirectTo = state.redirectTo ?? options.urls.postLogoutRedirect;
    const response =
      frames.length > 0
        ? pages.loggingOut({ frames, redirectTo, seconds: options.frontchannelSeconds })
        : finish(redirectTo);
    return { ...response, headers: { ...response.headers, 'Set-Cookie': [jar.session.clear()] } };
  };

  return { end, finish };
};

/** `redirectTo` is registered for the client, with `state` added. */
type LogoutRequest = Pick<LogoutState, 'clientId' | 'redirectTo'> & { readonly hint?: IdTokenHint };

const refuseLogout = (what: string): never => {
  throw invalidRequest(what);
};

const withState = (uri: string, state: string | null): string => {
  if (state === null) return uri;
  const url = new URL(uri);
  url.searchParams.set('state', state);
  return url.href;
};

/**
 * Reads the request of a client (RP-Initiated Logout 1.0, section 2).
 *
 * @throws {OAuthError} `invalid_request`
 */
const parseLogoutRequest = async (
  params: URLSearchParams,
  { signingKeys: keys, options: { issuer }, clients }: EndpointDependencies,
): Promise<LogoutRequest> => {
  const jwt = params.get('id_token_hint');
  const hint = jwt === null ? undefined : openIdTokenHint({ keys, issuer }, jwt);
  if (jwt !== null && hint === undefined) return refuseLogout('id_token_hint is not an ID token of this provider.');
  const named = params.get('client_id') ?? undefined;
  if (hint && named !== undefined && named !== hint.clientId)
    return refuseLogout('client_id is not the one of id_token_hint.');
  const clientId = hint?.clientId ?? named;
  const uri = params.get('post_logout_redirect_uri');
  if (clientId === undefined) {
    // `state` belongs to the redirect. Without a redirect it is ignored.
    if (uri === null) return {};
    return refuseLogout('post_logout_redirect_uri needs an id_token_hint or a client_id.');
  }
  const client = await clients.find(clientId);
  if (client === undefined) return refuseLogout('The client is not known.');
  if (uri === null) return { hint, clientId };
  if (!client.metadata.post_logout_redirect_uris?.includes(uri))
    return refuseLogout('post_logout_redirect_uri is not registered.');
  return { hint, clientId, redirectTo: withState(uri, params.get('state')) };
};

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
export const createLogoutEndpoint = (deps: EndpointDependencies): PublicEndpoint => {
  const { options, jar, logoutTokens } = deps;
  const { end, finish } = createEndVisit(deps);

  const toLogoutPage = options.urls.logout === undefined ? undefined : urlWith(options.urls.logout, 'logout_challenge');

  const begin = async (visit: Browser, params: URLSearchParams): Promise<HttpResponse> => {
    const { hint, clientId, redirectTo } = await parseLogoutRequest(params, deps);
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
