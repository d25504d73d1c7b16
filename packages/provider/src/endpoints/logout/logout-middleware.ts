import type { FoundRecord } from '@carnet/adapter-contract';
import type { Context, Middleware } from 'koa';
import type { ClientRecord } from '../../clients/client-record.ts';
import { findOrUnread } from '../../clients/find-or-unread.ts';
import type { Clock } from '../../clock.ts';
import { CarnetError } from '../../errors.ts';
import type { CookieJar } from '../../flow/cookies.ts';
import type { LogoutState, LogoutTokens } from '../../flow/logout-tokens.ts';
import { issuerUrl, logoutPath, urlWith } from '../../flow/urls.ts';
import { readBrowserSession } from '../../interaction/browser.ts';
import { errorPageUrl, pages } from '../../interaction/pages.ts';
import type { SigningKeys } from '../../keys/signing/signing-keys.ts';
import { readForm } from '../../library/form-body.ts';
import { maxQueryLength, quotedName } from '../../library/request-limits.ts';
import { requestIdOf, stateOf } from '../../library/request-state.ts';
import { respondWith } from '../../library/respond.ts';
import type { Deliveries } from '../../sessions/deliveries.ts';
import { endSession } from '../../sessions/end-session.ts';
import { readSessionClients, readSessions, type SessionClient } from '../../sessions/session-clients.ts';
import { snapshotOf } from '../../sessions/session-record.ts';
import type { Audit } from '../../telemetry/audit.ts';
import type { IdTokenHint } from '../../tokens/id-token-hint.ts';
import { parseLogoutRequest, refuseLogout } from './logout-request.ts';

/** A browser loads no more frames for one logout. Further clients are notified by the back channel only. */
const maxFrames = 40;

interface FrontchannelDependencies {
  readonly issuer: string;
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
}

const urlFor = async ({ issuer, clients }: FrontchannelDependencies, { sid, clientId }: SessionClient) => {
  const metadata = (await findOrUnread(clients, clientId))?.metadata;
  if (metadata?.frontchannel_logout_uri === undefined) return undefined;
  const { frontchannel_logout_uri: uri } = metadata;
  // Every client gets both, required or not, as in Hydra: a client that compares them is safe from forged logouts.
  // The registered query stays as it is (Front-Channel Logout 1.0, section 2).
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ iss: issuer, sid })}`;
};

/** The URLs that the browser loads so that clients sign the user out (Front-Channel Logout 1.0), each once. */
const frontchannelUrls = async (
  deps: FrontchannelDependencies,
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

export interface LogoutMiddlewareDependencies extends Clock {
  readonly options: {
    readonly issuer: string;
    readonly urls: { readonly logout?: string; readonly error?: string; readonly postLogoutRedirect?: string };
    /** Seconds. */
    readonly ttl: { readonly loginConsentRequest: number };
    /** Seconds that a logout page waits for the pages of clients. */
    readonly frontchannelSeconds: number;
  };
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
  readonly logoutTokens: LogoutTokens;
  readonly jar: Pick<CookieJar, 'session'>;
  readonly signingKeys: SigningKeys;
  readonly deliveries: Pick<Deliveries, 'announce'>;
  readonly audit: Audit;
}

/** RP-Initiated Logout 1.0, with a sealed challenge for the logout page. Nothing is stored before the session ends. */
export const createLogoutMiddleware = (deps: LogoutMiddlewareDependencies): Middleware => {
  const { options, jar, audit, clients, logoutTokens, signingKeys: keys } = deps;

  const toLogoutPage = options.urls.logout === undefined ? undefined : urlWith(options.urls.logout, 'logout_challenge');

  const finish = (ctx: Context, redirectTo = options.urls.postLogoutRedirect): void => {
    if (redirectTo === undefined) {
      respondWith(ctx, pages.loggedOut());
      return;
    }
    ctx.status = 302;
    ctx.redirect(redirectTo);
  };

  /** Whether a hint was issued in this session, or in one that it continues. */
  const isOf = async (ctx: Context, { sid }: { readonly sid: string }, hint: IdTokenHint): Promise<boolean> => {
    if (hint.sid === sid) return true;
    const sessions = await readSessions(stateOf(ctx).uow.read, sid);
    return sessions.some((each) => each.sid === hint.sid);
  };

  const end = async (ctx: Context, record: FoundRecord, state: LogoutState): Promise<void> => {
    const request = stateOf(ctx);
    const members = await readSessionClients(request.uow.read, state.sid);
    const frames = await frontchannelUrls({ issuer: options.issuer, clients }, members);
    const { ended, writes } = endSession(record, deps.now());
    for (const write of writes) request.uow.write(write);
    request.onCommitted = () => {
      deps.deliveries.announce(ended);
      audit({ action: 'logout', outcome: 'success', clientId: state.clientId, subject: state.subject });
    };
    const redirectTo = state.redirectTo ?? options.urls.postLogoutRedirect;
    if (frames.length > 0)
      respondWith(ctx, pages.loggingOut({ frames, redirectTo, seconds: options.frontchannelSeconds }));
    else finish(ctx, redirectTo);
    ctx.append('Set-Cookie', jar.session.clear());
  };

  const begin = async (ctx: Context, params: URLSearchParams): Promise<void> => {
    const { hint, clientId, redirectTo } = await parseLogoutRequest(params, { keys, clients, issuer: options.issuer });
    const record = await readBrowserSession(stateOf(ctx), jar);
    if (record === undefined) return finish(ctx, redirectTo);
    const session = snapshotOf(record);
    // Only an ID token of this very session replaces the user's confirmation (section 2).
    const rpInitiated = hint !== undefined && (await isOf(ctx, session, hint));
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
    if (toLogoutPage === undefined) {
      // Without a logout page the user can't be asked.
      if (rpInitiated) return end(ctx, record, state);
      return hint
        ? finish(ctx, redirectTo)
        : refuseLogout('No logout page is configured: set urls.logout (URLS_LOGOUT).');
    }
    ctx.status = 302;
    ctx.redirect(toLogoutPage(logoutTokens.seal('logout_challenge', state)));
  };

  const resume = async (ctx: Context, verifier: string): Promise<void> => {
    const opened = logoutTokens.open('logout_verifier', verifier);
    if (opened.status !== 'open') {
      respondWith(ctx, pages.invalidLink());
      return;
    }
    const { state } = opened;
    const record = await readBrowserSession(stateOf(ctx), jar);
    // The one step against forged logout links: only the browser that holds the session ends it.
    const isHolder = record !== undefined && snapshotOf(record).sid === state.sid;
    if (isHolder) await end(ctx, record, state);
    else finish(ctx, state.redirectTo);
  };

  const answer = async (ctx: Context, params: URLSearchParams): Promise<void> => {
    for (const name of params.keys())
      if (params.getAll(name).length > 1) refuseLogout(`${quotedName(name)} is given more than once.`);
    if (ctx.method === 'POST' && !jar.session.present(stateOf(ctx).cookieHeader)) {
      // The browser sends no session cookie with a POST from another site (SameSite=Lax). After this redirect it does.
      if (`${params}`.length > maxQueryLength) {
        throw new CarnetError('payload_too_large', `the parameters are longer than ${maxQueryLength} characters`);
      }
      ctx.status = 303;
      ctx.redirect(`${issuerUrl(options.issuer, logoutPath).href}?${params}`);
      return;
    }
    const verifier = params.get('logout_verifier');
    return verifier === null ? begin(ctx, params) : resume(ctx, verifier);
  };

  /** Redirects a refused request to the operator's error page, as a refused authorization request. */
  const toErrorPage = (ctx: Context, error: unknown): void => {
    const { error: page } = options.urls;
    if (page === undefined || !(error instanceof CarnetError) || error.code !== 'invalid_request') throw error;
    ctx.status = 302;
    ctx.redirect(
      errorPageUrl(page, { error: error.error, description: error.description, requestId: requestIdOf(ctx) }),
    );
  };

  return async (ctx, next) => {
    if (ctx.path !== logoutPath) return next();
    const params = ctx.method === 'POST' ? await readForm(ctx) : new URLSearchParams(ctx.querystring);
    await answer(ctx, params).catch((error: unknown) => toErrorPage(ctx, error));
  };
};
