import type { FoundRecord } from '@carnet/adapter-contract';
import type { Context, Middleware } from 'koa';
import { CarnetError } from '../errors.ts';
import type { LogoutState } from '../flow/logout-tokens.ts';
import { issuerUrl, logoutPath, urlWith } from '../flow/urls.ts';
import { endSession } from '../sessions/end-session.ts';
import { readSessionClients, readSessions } from '../sessions/session-clients.ts';
import { isLiveSession, sessionKey, snapshotOf } from '../sessions/session-record.ts';
import type { OidcDependencies } from './dependencies.ts';
import { readForm } from './form-body.ts';
import { frontchannelUrls } from './frontchannel-urls.ts';
import { type IdTokenHint, openIdTokenHint } from './id-token-hint.ts';
import { pages } from './pages.ts';
import { maxQueryLength } from './request-limits.ts';
import { stateOf } from './request-state.ts';
import { respondWith } from './respond.ts';

export type LogoutMiddlewareDependencies = Pick<
  OidcDependencies,
  'options' | 'clients' | 'logoutTokens' | 'jar' | 'signingKeys' | 'deliveries' | 'audit' | 'now'
>;

interface LogoutRequest {
  readonly hint?: IdTokenHint;
  readonly clientId?: string;
  /** Registered for the client, `state` added. */
  readonly redirectTo?: string;
}

const refuse = (what: string): never => {
  throw new CarnetError('invalid_request', what);
};

const withState = (uri: string, state: string | null): string => {
  if (state === null) return uri;
  const url = new URL(uri);
  url.searchParams.set('state', state);
  return url.href;
};

/** RP-Initiated Logout 1.0 with a sealed challenge in the middle; nothing is stored before the session ends. */
export const createLogoutMiddleware = (deps: LogoutMiddlewareDependencies): Middleware => {
  const { options, jar, audit, clients, logoutTokens, signingKeys: keys } = deps;

  const toLogoutPage = options.urls.logout === undefined ? undefined : urlWith(options.urls.logout, 'logout_challenge');

  const parse = async (params: URLSearchParams): Promise<LogoutRequest> => {
    const jwt = params.get('id_token_hint');
    const hint = jwt === null ? undefined : openIdTokenHint({ keys, issuer: options.issuer }, jwt);
    if (jwt !== null && hint === undefined) return refuse('id_token_hint is not an ID token of this provider.');
    const named = params.get('client_id') ?? undefined;
    if (hint && named !== undefined && named !== hint.clientId)
      return refuse('client_id is not the one of id_token_hint.');
    const clientId = hint?.clientId ?? named;
    const uri = params.get('post_logout_redirect_uri');
    if (clientId === undefined) {
      if (uri === null && !params.has('state')) return {};
      return refuse('post_logout_redirect_uri and state need an id_token_hint or a client_id.');
    }
    const client = await clients.find(clientId);
    if (client === undefined) return refuse('The client is not known.');
    if (uri === null) return { hint, clientId };
    if (!client.metadata.post_logout_redirect_uris?.includes(uri))
      return refuse('post_logout_redirect_uri is not registered.');
    return { hint, clientId, redirectTo: withState(uri, params.get('state')) };
  };

  const finish = (ctx: Context, redirectTo = options.urls.postLogoutRedirect): void => {
    if (redirectTo === undefined) {
      respondWith(ctx, pages.loggedOut());
      return;
    }
    ctx.status = 302;
    ctx.redirect(redirectTo);
  };

  /** The session of this browser, if it lives. */
  const sessionIn = async (ctx: Context): Promise<FoundRecord | undefined> => {
    const { uow, cookieHeader } = stateOf(ctx);
    const sid = jar.session.read(cookieHeader);
    const record = sid === undefined ? undefined : await uow.read(sessionKey(sid));
    return isLiveSession(record) ? record : undefined;
  };

  /** Whether a hint is of this session, or of one that it goes on from. */
  const isOf = async (ctx: Context, { sid }: { readonly sid: string }, hint: IdTokenHint): Promise<boolean> => {
    if (hint.sid === sid) return true;
    const sessions = await readSessions(stateOf(ctx).uow.read, sid);
    return sessions.some((each) => each.sid === hint.sid);
  };

  const end = async (ctx: Context, record: FoundRecord, state: LogoutState): Promise<void> => {
    const request = stateOf(ctx);
    const told = await readSessionClients(request.uow.read, state.sid);
    const frames = await frontchannelUrls({ issuer: options.issuer, clients }, told);
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
    const { hint, clientId, redirectTo } = await parse(params);
    const record = await sessionIn(ctx);
    if (record === undefined) return finish(ctx, redirectTo);
    const session = snapshotOf(record);
    // Whoever shows no ID token of this very session can't speak for the person, who is asked (section 2).
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
      // Nobody can be asked. The client's ID token of this very session stands in for the person's word.
      if (rpInitiated) return end(ctx, record, state);
      return hint ? finish(ctx, redirectTo) : refuse('No logout page is configured: set urls.logout (URLS_LOGOUT).');
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
    const record = await sessionIn(ctx);
    // The one step against being logged out by a foreign link: only the browser that holds the session ends it.
    const isHolder = record !== undefined && snapshotOf(record).sid === state.sid;
    if (isHolder) await end(ctx, record, state);
    else finish(ctx, state.redirectTo);
  };

  return async (ctx, next) => {
    if (ctx.path !== logoutPath) return next();
    const params = ctx.method === 'POST' ? await readForm(ctx) : new URLSearchParams(ctx.querystring);
    for (const name of params.keys()) if (params.getAll(name).length > 1) refuse(`${name} is given more than once.`);
    if (ctx.method === 'POST' && !jar.session.present(stateOf(ctx).cookieHeader)) {
      // Posted from another site, the browser leaves the session cookie out (SameSite=Lax); asked for again, it sends it.
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
};
