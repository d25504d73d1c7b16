import type { FoundRecord, Write } from '@carnet/adapter-contract';
import { sidOf } from '../flow/flow-id.ts';
import type { FlowState, SignedInFlow } from '../flow/flow-state.ts';
import type { OidcDependencies } from '../library/dependencies.ts';
import type { RequestState } from '../library/request-state.ts';
import { endSession } from '../sessions/end-session.ts';
import { sessionEndOf, sessionKey, sessionRecord, snapshotOf, successorRecord } from '../sessions/session-record.ts';
import { readBrowserSession } from './browser-session.ts';

export type RememberDependencies = Pick<OidcDependencies, 'options' | 'jar' | 'deliveries' | 'now'>;

/** A request in which a user has signed in, and its effects. */
export interface LoginStep {
  readonly state: RequestState;
  readonly flow: SignedInFlow;
  readonly deps: RememberDependencies;
  /** Seconds since 1970. */
  readonly seconds: number;
  readonly setCookie: (cookie: string) => void;
  readonly write: (write: Write) => void;
}

/** Ends the browser's former session. The clients of that session are notified. */
const endFormer = ({ state, deps, write }: LoginStep, former: FoundRecord): void => {
  const { ended, writes } = endSession(former, deps.now());
  for (const each of writes) write(each);
  state.ended = ended;
};

/** Continues the session under a new `sid`, because the same user has signed in again. No client is notified. */
const goOnFrom = ({ flow, deps, write }: LoginStep, formerSid: string, endsAt: number): void => {
  write({ type: 'consume', key: sessionKey(formerSid), at: new Date(deps.now()) });
  // The successor is the last write: where a commit is atomic for one record only, a session that a logout has ended gets no
  // successor. A code of the former session finds its new session by this record (`join-successor.ts`).
  write({ type: 'put', record: successorRecord(formerSid, { sid: sidOf(flow), endsAt }) });
};

/** Writes or ends the browser's session. Returns whether the login is remembered. */
export const rememberLogin = async (step: LoginStep): Promise<boolean> => {
  const { state, flow, deps, seconds, setCookie, write } = step;
  const { jar, options } = deps;
  const sid = sidOf(flow);
  const endsAt = sessionEndOf(flow, options.ttl.authenticationSession);
  if (endsAt === undefined || endsAt <= seconds) {
    // The former session may be the flow's own: the login was accepted twice, the second time without `remember`.
    const former = await readBrowserSession(state, jar);
    if (former) endFormer(step, former);
    if (jar.session.present(state.cookieHeader)) setCookie(jar.session.clear());
    return false;
  }
  const former = jar.session.read(state.cookieHeader) === sid ? undefined : await readBrowserSession(state, jar);
  const formerSid = former?.subject === flow.login.subject ? former && snapshotOf(former).sid : undefined;
  // The claim is the first write, so that a replayed verifier ends no session (D4).
  write({ type: 'claim', record: sessionRecord({ sid, login: flow.login, endsAt, formerSid }) });
  if (formerSid !== undefined) goOnFrom(step, formerSid, endsAt);
  else if (former) endFormer(step, former);
  setCookie(jar.session.set(sid, endsAt - seconds));
  return true;
};

/**
 * Whether a login is written as soon as the user has signed in, so that it survives a consent that is denied, fails or is
 * never answered. A login that is not to be remembered is not written.
 */
export const isToBeKept = (
  flow: FlowState,
  { options, now }: Pick<RememberDependencies, 'options' | 'now'>,
): flow is SignedInFlow =>
  !flow.skipLogin &&
  flow.login !== undefined &&
  flow.rejection === undefined &&
  (sessionEndOf(flow, options.ttl.authenticationSession) ?? 0) > Math.floor(now() / 1000);

/**
 * Writes the session of a login that is to be remembered, only in the browser that holds the flow's cookie (`obstacleOf`): a
 * verifier from another browser signs no user in. The session's id is derived from the flow and claimed: a verifier that is
 * replayed after a logout finds the record of the ended session and can't bring it back (D4).
 */
export const keepLogin = async (
  { state, setCookie }: Pick<LoginStep, 'state' | 'setCookie'>,
  flow: SignedInFlow,
  deps: RememberDependencies,
): Promise<void> => {
  const seconds = Math.floor(deps.now() / 1000);
  state.onCommitted = () => {
    if (state.ended) deps.deliveries.announce(state.ended);
  };
  await rememberLogin({ state, flow, deps, seconds, setCookie, write: (write) => state.uow.write(write) });
};
