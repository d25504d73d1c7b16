import type { Write } from '@carnet/adapter-contract';
import type { Context } from 'koa';
import { grantTypes } from '../../clients/grant-types.ts';
import { createFlowId } from '../../flow/flow-id.ts';
import type { FlowState } from '../../flow/flow-state.ts';
import { isDecided } from '../../flow/flow-state.ts';
import type { FlowPurpose } from '../../flow/flow-tokens.ts';
import { decodeJwtPayload } from '../../flow/jwt-payload.ts';
import { type AnsweringFlow, decisionRecord } from '../../flow/polled-requests.ts';
import { restartUrl, urlWith } from '../../flow/urls.ts';
import { readUserCode } from '../../flow/user-code.ts';
import { readBrowserSession } from '../../interaction/browser-session.ts';
import { endFlow, endingOf } from '../../interaction/completion.ts';
import { clearStaleSession, refuseFlow, sendOn } from '../../interaction/flow-middleware.ts';
import { pages } from '../../interaction/pages.ts';
import { isToBeKept, keepLogin } from '../../interaction/remember-login.ts';
import { isLiveSession, sessionKey, snapshotOf } from '../../sessions/session-record.ts';
import { spaceDelimited } from '../../text/space-delimited.ts';
import { stateOf } from '../request-state.ts';
import { respondWith } from '../respond.ts';
import type { FeatureDependencies } from './feature.ts';

/** Whether the remembered login of this browser is recent enough (OpenID Connect Core, 3.1.2.3). */
const maySkipLogin = (
  { authTime }: NonNullable<FlowState['session']>,
  params: FlowState['params'],
  seconds: number,
): boolean => {
  if (spaceDelimited(params.prompt).includes('login')) return false;
  return params.max_age === undefined || authTime + Number(params.max_age) >= seconds;
};

interface Person {
  readonly subject: string;
  readonly sid?: string;
  /** What the login app wants pairwise clients to know them by. */
  readonly forced?: string;
}

type HintDependencies = Pick<FeatureDependencies, 'clients' | 'subjects'>;

/** Whether this is whom `id_token_hint` names, verified when it came: as the client knows them, or by the very login. */
const isHinted = async (params: FlowState['params'], { subject, sid, forced }: Person, deps: HintDependencies) => {
  if (params.id_token_hint === undefined) return true;
  const hint = decodeJwtPayload(params.id_token_hint);
  const client = await deps.clients.find(params.client_id ?? '');
  if (client === undefined) return false;
  return hint.sub === deps.subjects.present(client, subject, forced) || (sid !== undefined && hint.sid === sid);
};

/** What the consent app did not grant, and whom the device did not mean, counts as refused. */
const settled = async (state: AnsweringFlow, deps: HintDependencies): Promise<AnsweringFlow> => {
  const { rejection, params, login, session, skipLogin, consent } = state;
  const refused = (description: string) => ({ ...state, rejection: { error: 'access_denied', description } });
  if (rejection || login === undefined) return state;
  const person = { subject: login.subject, forced: login.forcedSubject, sid: skipLogin ? session?.sid : undefined };
  if (!(await isHinted(params, person, deps))) {
    return refused('the person who logged in is not the one id_token_hint names');
  }
  return consent?.scopes.length === 0 ? refused('no scope was granted') : state;
};

/**
 * The person's part of a device flow: a sealed flow like any other, but that it begins with a user code and ends in the
 * store, where the device asks for it. Every step but the first counts only in the browser that took the first
 * (`refuseFlow`): who typed the code is who lets the device in.
 */
export const createDeviceVerification = (deps: FeatureDependencies): ((ctx: Context) => Promise<void>) => {
  const { options, tokens, jar, envelope, now } = deps;
  const { issuer, urls, features } = options;
  const toLogin = urlWith(urls.login, 'login_challenge');
  const toConsent = urlWith(urls.consent, 'consent_challenge');
  const seconds = () => Math.floor(now() / 1000);
  const inTime = () => seconds() + options.ttl.loginConsentRequest;

  const flowDeps = {
    ...deps,
    mayReceive: async ({ client_id: id = '' }: FlowState['params']) =>
      (await deps.clients.find(id))?.metadata.grant_types.includes(grantTypes.deviceCode) === true,
  };

  const goOn = (ctx: Context, url: string, flowId: string, isNew = false): void => {
    stateOf(ctx).next = { url, flowId };
    sendOn(ctx, flowDeps, isNew);
    ctx.redirect(url);
  };

  const begin = async (ctx: Context): Promise<void> => {
    if (urls.device.verification === undefined) return respondWith(ctx, pages.noDevicePage());
    const params: Record<string, string> = ctx.query.prompt === 'login' ? { prompt: 'login' } : {};
    const state: FlowState = { id: createFlowId(now()), expiresAt: inTime(), params };
    const url = new URL(urls.device.verification);
    url.searchParams.set('device_challenge', await tokens.seal('device_challenge', state));
    // Shown by the page, which asks whether this is the code on the device: a link alone lets nobody in (5.4).
    const code = readUserCode(String(ctx.query.user_code ?? ''), features.device.userCode);
    if (code !== undefined) url.searchParams.set('user_code', code);
    goOn(ctx, url.href, state.id, true);
    clearStaleSession(ctx, deps);
  };

  const askLogin = async (ctx: Context, state: AnsweringFlow): Promise<void> => {
    const request = stateOf(ctx);
    const record = await readBrowserSession(request, jar);
    request.sessionIsGone = record === undefined && jar.session.read(request.cookieHeader) !== undefined;
    const session = record && snapshotOf(record);
    const isEnough = session && maySkipLogin(session, state.params, seconds());
    const remembered = isEnough && (await isHinted(state.params, session, deps)) ? { session, skipLogin: true } : {};
    const next = { ...state, ...remembered, expiresAt: inTime() };
    goOn(ctx, toLogin(await tokens.seal('login_challenge', next)), state.id);
    clearStaleSession(ctx, deps);
  };

  /** Never skipped: a remembered consent says nothing about whose device this is. */
  const askConsent = async (ctx: Context, state: AnsweringFlow): Promise<void> => {
    if (state.rejection) return end(ctx, state);
    const { skipLogin, session } = state;
    if (skipLogin && session && !isLiveSession(await stateOf(ctx).uow.read(sessionKey(session.sid)))) {
      return ctx.redirect(restartUrl(issuer, state));
    }
    const isKept = isToBeKept(state, deps);
    if (isKept) await keepLogin(endingOf(ctx), state, deps);
    const decided = { ...state, loginKept: isKept || undefined, expiresAt: inTime() };
    goOn(ctx, toConsent(await tokens.seal('consent_challenge', decided)), state.id);
  };

  const showEnd = (ctx: Context, { params, rejection }: FlowState): void => {
    const page = rejection ? urls.error : urls.device.success;
    if (page === undefined) {
      const { status, headers = {}, body } = rejection ? pages.deviceRefused() : pages.deviceLetIn();
      ctx.status = status;
      ctx.set(headers);
      ctx.body = body;
      return;
    }
    const url = new URL(page);
    if (rejection) url.searchParams.set('error', 'access_denied');
    if (rejection?.description) url.searchParams.set('error_description', rejection.description);
    if (!rejection) url.searchParams.set('client_id', params.client_id ?? '');
    ctx.redirect(url.href);
  };

  const end = async (ctx: Context, decided: AnsweringFlow): Promise<void> => {
    const state = await settled(decided, deps);
    // Of all that answer this device, in however many browsers, the claim lets the first one through.
    const answer: Write = { type: 'claim', record: decisionRecord(envelope, state) };
    await endFlow(ctx, state, { succeeded: state.rejection === undefined && isDecided(state), answer }, deps);
    showEnd(ctx, state);
  };

  const steps = [
    ['device_verifier', askLogin],
    ['login_verifier', askConsent],
    ['consent_verifier', end],
  ] as const satisfies readonly (readonly [FlowPurpose, unknown])[];

  return async (ctx) => {
    const step = steps.find(([name]) => ctx.query[name] !== undefined);
    if (step === undefined) return begin(ctx);
    const [purpose, take] = step;
    const opened = await tokens.open(purpose, String(ctx.query[purpose]));
    if (opened.status === 'invalid' || opened.state.waiting === undefined) return respondWith(ctx, pages.invalidLink());
    const state = { ...opened.state, waiting: opened.state.waiting };
    const refusal = await refuseFlow(ctx, opened, flowDeps);
    if (refusal) return respondWith(ctx, refusal);
    if (state.waiting.expiresAt <= seconds()) return respondWith(ctx, pages.deviceExpired(issuer, state));
    stateOf(ctx).flow = state;
    return take(ctx, state);
  };
};
