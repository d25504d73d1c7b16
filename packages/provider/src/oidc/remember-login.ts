import type { FoundRecord, Write } from '@carnet/adapter-contract';
import { sidOf } from '../flow/flow-id.ts';
import type { FlowState, SignedInFlow } from '../flow/flow-state.ts';
import { endSession } from '../sessions/end-session.ts';
import { sessionEndOf, sessionKey, sessionRecord, snapshotOf, successorRecord } from '../sessions/session-record.ts';
import { readBrowserSession } from './browser-session.ts';
import type { OidcDependencies } from './dependencies.ts';
import type { RequestState } from './request-state.ts';

export type RememberDependencies = Pick<OidcDependencies, 'options' | 'jar' | 'deliveries' | 'now'>;

/** A request in which a user has signed in, and what comes of it. */
export interface LoginStep {
  readonly state: RequestState;
  readonly flow: SignedInFlow;
  readonly deps: RememberDependencies;
  /** Seconds since 1970. */
  readonly seconds: number;
  readonly setCookie: (cookie: string) => void;
  readonly write: (write: Write) => void;
}

/** The user who was logged in here before no longer is, and the clients of that session are notified. */
const endFormer = ({ state, deps, write }: LoginStep, former: FoundRecord): void => {
  const { ended, writes } = endSession(former, deps.now());
  for (const each of writes) write(each);
  state.ended = ended;
};

/** The same user has signed in again: the session is continued under a new `sid`, and no client is notified. */
const goOnFrom = ({ flow, deps, write }: LoginStep, formerSid: string, endsAt: number): void => {
  write({ type: 'consume', key: sessionKey(formerSid), at: new Date(deps.now()) });
  // Last: where a commit is atomic for one record only, no session that a logout has ended gets a successor. A code of
  // the former session is redeemed by way of this record (`join-successor.ts`).
  write({ type: 'put', record: successorRecord(formerSid, { sid: sidOf(flow), endsAt }) });
};

/** Returns whether the login is remembered. */
export const rememberLogin = async (step: LoginStep): Promise<boolean> => {
  const { state, flow, deps, seconds, setCookie, write } = step;
  const { jar, options } = deps;
  const sid = sidOf(flow);
  const endsAt = sessionEndOf(flow, options.ttl.authenticationSession);
  if (endsAt === undefined || endsAt <= seconds) {
    // It may be the flow's own: the login was accepted twice, and the second time it was not to be remembered.
    const former = await readBrowserSession(state, jar);
    if (former) endFormer(step, former);
    if (jar.session.present(state.cookieHeader)) setCookie(jar.session.clear());
    return false;
  }
  const former = jar.session.read(state.cookieHeader) === sid ? undefined : await readBrowserSession(state, jar);
  const formerSid = former?.subject === flow.login.subject ? former && snapshotOf(former).sid : undefined;
  // First: a verifier that is played again ends no session (D4).
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
 * Writes the session of a login that is to be remembered. Only ever in the browser that holds the flow's cookie
 * (`obstacleOf`): a verifier from elsewhere signs no user in. The session's id is the flow's, and is claimed: a verifier
 * that is played again after a logout finds the record of the session that has ended, and brings none back (D4).
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
