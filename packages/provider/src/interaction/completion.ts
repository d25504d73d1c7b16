import type { Write } from '@carnet/adapter-contract';
import type { Context } from 'koa';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { consentRecord, consentReference } from '../consents/remembered-consents.ts';
import { completionIdOf, sidOf } from '../flow/flow-id.ts';
import type { FlowState } from '../flow/flow-state.ts';
import { type DecidedFlow, isDecided } from '../flow/flow-state.ts';
import { replayMarginSeconds } from '../flow/redemptions.ts';
import { issuesAtOnce } from '../grants/code-and-grant.ts';
import type { OidcDependencies } from '../library/dependencies.ts';
import { stateOf } from '../library/request-state.ts';
import { sessionKey } from '../sessions/session-record.ts';
import { recordId } from '../storage/record-id.ts';
import { type LoginStep, type RememberDependencies, rememberLogin } from './remember-login.ts';

export type CompletionDependencies = RememberDependencies & Pick<OidcDependencies, 'finished' | 'audit'>;

/** A cookie that is meant to last: browsers keep none longer (RFC 6265bis, section 5.5). */
const forever = 400 * 86_400;

interface Step extends LoginStep {
  readonly flow: DecidedFlow;
}

/** Who has tokens already hears of the logout; who has a code joins when it is redeemed (`models/code-model.ts`). */
const membersOf = ({ params }: DecidedFlow): readonly string[] =>
  issuesAtOnce(params) ? [params.client_id ?? ''] : [];

/** Moves the expiry and nothing else: a session that ended meanwhile is not brought back (D4), and loses no client. */
const extendSession = ({ flow, deps, seconds, setCookie, write }: Step): void => {
  const lifetime = flow.login.rememberFor ?? deps.options.ttl.authenticationSession;
  const sid = sidOf(flow);
  const expiresAt = new Date((seconds + lifetime) * 1000);
  write({ type: 'merge', key: sessionKey(sid), members: membersOf(flow), expiresAt });
  setCookie(deps.jar.session.set(sid, lifetime));
};

/** The client joins the session that its tokens come from. A conflict when that has ended in between. */
const joinSession = ({ flow, write }: Step): void => {
  if (issuesAtOnce(flow.params)) write({ type: 'merge', key: sessionKey(sidOf(flow)), members: membersOf(flow) });
};

const rememberConsent = ({ flow, deps, seconds, setCookie, write }: Step): boolean => {
  if (!flow.consent.remember || flow.skipConsent) return false;
  const consent = consentRecord(flow);
  write({ type: 'put', record: consent });
  write({ type: 'put', record: consentReference({ flow, consent }, new Date((seconds + forever) * 1000)) });
  setCookie(deps.jar.consentHint.set(flow.consent.rememberFor ?? forever));
  return true;
};

/**
 * What is remembered is remembered once, and tokens that the browser is sent away with are issued once: a verifier
 * played again, after logout too, finds this claim (D5).
 */
const completionClaim = ({ flow, seconds, deps }: Step): Write => ({
  type: 'claim',
  record: {
    kind: 'replay',
    // Of all the flows of one pushed request one issues tokens: they have one grant (RFC 9126, section 4).
    id: recordId(completionIdOf((issuesAtOnce(flow.params) ? flow.pushedId : undefined) ?? flow.id)),
    payload: '{}',
    expiresAt: new Date((seconds + 2 * deps.options.ttl.loginConsentRequest + replayMarginSeconds) * 1000),
  },
});

const remember = async (outcome: Omit<Step, 'write'>, answer: Write | undefined): Promise<void> => {
  const writes: Write[] = [];
  const step: Step = { ...outcome, write: (write) => void writes.push(write) };
  const { flow, state } = step;
  const hasSession = flow.skipLogin || flow.loginKept;
  const login = hasSession ? flow.skipLogin && flow.login.extendSession === true : await rememberLogin(step);
  if (hasSession && login) extendSession(step);
  else if (hasSession || login) joinSession(step);
  const consent = rememberConsent(step);
  // The claim comes first, and all of this before the tokens: where a commit is atomic for one record only, nothing is
  // remembered and no token issued without it.
  const claims =
    consent || login || flow.loginKept || answer || issuesAtOnce(flow.params) ? [completionClaim(step)] : [];
  state.uow.writeFirst([...claims, ...(answer ? [answer] : []), ...writes]);
};

export interface Outcome {
  readonly succeeded: boolean;
  /** What somebody who waits elsewhere is told; a flow answers once, and one of them. */
  readonly answer?: Write;
}

/** The request that a flow ends with, and where its cookies go. */
export type Ending = Pick<Step, 'state' | 'setCookie'>;

/** A flow has ended: its cookie goes, and what is to be remembered stays. */
export const conclude = async (
  { state, setCookie }: Ending,
  flow: FlowState,
  { succeeded, answer }: Outcome,
  deps: CompletionDependencies,
): Promise<void> => {
  setCookie(deps.jar.flow.clear(flow.id));
  state.onCommitted = () => {
    deps.finished.add(flow.id);
    if (state.ended) deps.deliveries.announce(state.ended);
    deps.audit({
      action: 'login',
      outcome: succeeded ? 'success' : 'denied',
      reason: flow.rejection?.error,
      clientId: flow.params.client_id,
      subject: flow.login?.subject,
    });
  };
  const seconds = Math.floor(deps.now() / 1000);
  if (succeeded && isDecided(flow)) await remember({ state, flow, deps, seconds, setCookie }, answer);
  else if (answer) state.uow.write(answer);
};

export const endingOf = (ctx: Context): Ending => ({
  state: stateOf(ctx),
  setCookie: (cookie) => void ctx.append('Set-Cookie', cookie),
});

export const endFlow = (ctx: Context, flow: FlowState, outcome: Outcome, deps: CompletionDependencies): Promise<void> =>
  conclude(endingOf(ctx), flow, outcome, deps);

/** The browser leaves for the client, or an error page. */
export const completeFlow = (ctx: KoaContextWithOIDC, flow: FlowState, deps: CompletionDependencies): Promise<void> =>
  endFlow(ctx as unknown as Context, flow, { succeeded: stateOf(ctx).isAuthorized === true && isDecided(flow) }, deps);
