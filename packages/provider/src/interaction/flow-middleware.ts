import type { Context, Middleware, Next } from 'koa';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { consentKey } from '../consents/remembered-consents.ts';
import type { FlowState } from '../flow/flow-state.ts';
import type { FlowPurpose, OpenedFlow } from '../flow/flow-tokens.ts';
import { authorizationPath, restartUrl } from '../flow/urls.ts';
import type { HttpResponse } from '../http/types.ts';
import type { OidcDependencies } from '../library/dependencies.ts';
import { stateOf } from '../library/request-state.ts';
import { respondWith } from '../library/respond.ts';
import { isLiveSession, sessionKey } from '../sessions/session-record.ts';
import { completeFlow, endingOf } from './completion.ts';
import { bindingCookies, type FlowBindingDependencies, type Obstacle, obstacleOf } from './flow-binding.ts';
import { pages } from './pages.ts';
import { isToBeKept, keepLogin } from './remember-login.ts';

export type FlowMiddlewareDependencies = FlowBindingDependencies &
  Pick<OidcDependencies, 'tokens' | 'deliveries' | 'audit' | 'now'>;

const obstaclePages: Readonly<Record<Obstacle, (issuer: string, state: FlowState) => HttpResponse>> = {
  expired: pages.expired,
  finished: pages.used,
  other_browser: pages.otherBrowser,
  client_changed: pages.clientChanged,
};

/** The parameters that bring a decision back; the login app's wins when both are there. */
export const verifierParams = ['login_verifier', 'consent_verifier'] as const satisfies readonly FlowPurpose[];

const verifierOf = (ctx: Context): { purpose: FlowPurpose; token: string } | undefined => {
  for (const purpose of verifierParams) {
    const value = ctx.query[purpose];
    if (value !== undefined) return { purpose, token: Array.isArray(value) ? '' : value };
  }
  return undefined;
};

/** The next challenge was sealed: send the browser to it, and bind the flow to this browser. */
export const sendOn = (ctx: Context, deps: FlowMiddlewareDependencies, isNew: boolean): void => {
  const { next, cookieHeader } = stateOf(ctx);
  if (next === undefined) return;
  ctx.status = 302;
  const cookies = bindingCookies(next, deps, isNew ? { cookieHeader } : undefined);
  for (const cookie of cookies) ctx.append('Set-Cookie', cookie);
};

/** The cookie of a session that is no more goes, whatever the answer: it would cost a read at every request (D15). */
export const clearStaleSession = (ctx: Context, { jar }: Pick<FlowMiddlewareDependencies, 'jar'>): void => {
  const { cookieHeader, sessionIsGone } = stateOf(ctx);
  if (!jar.session.present(cookieHeader)) return;
  if (sessionIsGone || jar.session.read(cookieHeader) === undefined) ctx.append('Set-Cookie', jar.session.clear());
};

/** Why a flow can't go on in this browser, as a response; nothing when it can. */
export const refuseFlow = async (
  ctx: Context,
  opened: Exclude<OpenedFlow, { status: 'invalid' }>,
  deps: FlowMiddlewareDependencies,
): Promise<HttpResponse | undefined> => {
  const { state } = opened;
  const obstacle = await obstacleOf(opened, stateOf(ctx).cookieHeader, deps);
  if (obstacle === 'other_browser') {
    const { client_id: clientId } = state.params;
    deps.audit({ action: 'flow.resume', outcome: 'denied', reason: 'flow_cookie_missing', clientId });
  }
  return obstacle && obstaclePages[obstacle](deps.options.issuer, state);
};

export const createFlowMiddleware = (deps: FlowMiddlewareDependencies): Middleware => {
  const { options, tokens } = deps;
  const { issuer } = options;

  /** A login skipped for a session that has ended meanwhile was not a login. */
  const sessionEnded = async (ctx: Context, purpose: FlowPurpose, { skipLogin, session, params }: FlowState) => {
    if (purpose !== 'login_verifier' || !skipLogin || session === undefined) return false;
    const { uow } = stateOf(ctx);
    // Whether the consent is remembered is the next question: both are answered in one round trip.
    const consent = uow.read(consentKey(session.subject, params.client_id ?? ''));
    const [record] = await Promise.all([uow.read(sessionKey(session.sid)), consent]);
    return !isLiveSession(record);
  };

  const resume = async (ctx: Context, next: Next, purpose: FlowPurpose, token: string): Promise<void> => {
    const opened = await tokens.open(purpose, token);
    // A device's flow goes on elsewhere.
    if (opened.status === 'invalid' || opened.state.waiting) return respondWith(ctx, pages.invalidLink());
    const { state } = opened;
    const refusal = await refuseFlow(ctx, opened, deps);
    if (refusal) return respondWith(ctx, refusal);
    if (await sessionEnded(ctx, purpose, state)) {
      ctx.status = 302;
      return ctx.redirect(restartUrl(issuer, state));
    }
    const isKept = purpose === 'login_verifier' && isToBeKept(state, deps);
    stateOf(ctx).flow = isKept ? { ...state, loginKept: true } : state;
    // Everything comes from the seal: whatever else stood in the URL, or in a form, is gone before oidc-provider looks.
    ctx.method = 'GET';
    ctx.querystring = '';
    ctx.path = `${authorizationPath}/${state.id}`;
    await next();
    if (stateOf(ctx).next) {
      if (isKept) await keepLogin(endingOf(ctx), state, deps);
      return sendOn(ctx, deps, false);
    }
    await completeFlow(ctx as unknown as KoaContextWithOIDC, state, deps);
  };

  return async (ctx, next) => {
    if (ctx.path !== authorizationPath) return next();
    const verifier = verifierOf(ctx);
    if (verifier) return resume(ctx, next, verifier.purpose, verifier.token);
    await next();
    sendOn(ctx, deps, true);
    clearStaleSession(ctx, deps);
  };
};
