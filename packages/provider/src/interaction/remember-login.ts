import type { FoundRecord, Write } from '@carnet/adapter-contract';
import { sidOf } from '../flow/flow-id.ts';
import type { SignedInFlow } from '../flow/flow-state.ts';
import type { SessionEnded } from '../sessions/delivery-record.ts';
import { endSession } from '../sessions/end-session.ts';
import { sessionEndOf, sessionKey, sessionRecord, snapshotOf, successorRecord } from '../sessions/session-record.ts';
import { type Browser, readBrowserSession } from './browser.ts';
import type { FlowDependencies } from './step.ts';

/** A visit in which a user has signed in, and its effects. */
export interface LoginStep {
  readonly flow: SignedInFlow;
  readonly browser: Browser;
  readonly deps: Pick<FlowDependencies, 'options' | 'jar' | 'placeOf' | 'now'>;
  /** Seconds since 1970. */
  readonly seconds: number;
  readonly write: (write: Write) => void;
}

/** Ends the browser's former session. The clients of that session are notified. */
const endFormer = ({ flow, deps, write }: LoginStep, former: FoundRecord): SessionEnded => {
  const { ended, writes } = endSession(former, deps.now());
  for (const each of writes) write(each);
  // The same user has signed in again, and is not remembered: a code of the former session can still be redeemed.
  if (former.subject === flow.login.subject)
    write({ type: 'put', record: successorRecord(ended.sid, {}, former.expiresAt) });
  return ended;
};

/** Continues the session under a new `sid`, because the same user has signed in again. No client is notified. */
const continueSession = ({ flow, deps, write }: LoginStep, formerSid: string, endsAt: number): void => {
  write({ type: 'consume', key: sessionKey(formerSid), at: new Date(deps.now()) });
  // The successor is the last write: where a commit is atomic for one record only, a session that a logout has ended
  // gets no successor. A code of the former session finds its new session by this record (`joinSuccessor`).
  write({ type: 'put', record: successorRecord(formerSid, { sid: sidOf(flow) }, new Date(endsAt * 1000)) });
};

/**
 * Creates a session if the login is to be remembered. Otherwise ends the browser's session, if there is one.
 *
 * The writes go to `step.write`, the cookies to the browser.
 *
 * @returns `ended`: the former session of the browser, if this login ends it
 */
export const rememberLogin = async (
  step: LoginStep,
): Promise<{ readonly isRemembered: boolean; readonly ended?: SessionEnded }> => {
  const { flow, browser, deps, seconds, write } = step;
  const { jar, options } = deps;
  const sid = sidOf(flow);
  const endsAt = sessionEndOf(flow, options.ttl.authenticationSession);
  if (endsAt === undefined || endsAt <= seconds) {
    // The former session may be the flow's own: the login was accepted twice, the second time without `remember`.
    const former = await readBrowserSession(browser, jar);
    if (jar.session.present(browser.cookieHeader)) browser.cookies.push(jar.session.clear());
    return { isRemembered: false, ended: former && endFormer(step, former) };
  }
  const former = jar.session.read(browser.cookieHeader) === sid ? undefined : await readBrowserSession(browser, jar);
  const formerSid = former?.subject === flow.login.subject ? former && snapshotOf(former).sid : undefined;
  // The claim is the first write, so that a replayed verifier ends no session (D4).
  const place = deps.placeOf(browser.message);
  write({ type: 'claim', record: sessionRecord({ sid, login: flow.login, endsAt, formerSid, place }) });
  browser.cookies.push(jar.session.set(sid, endsAt - seconds));
  if (formerSid !== undefined) continueSession(step, formerSid, endsAt);
  return { isRemembered: true, ended: former && formerSid === undefined ? endFormer(step, former) : undefined };
};

/**
 * Whether a login is written as soon as the user has signed in, so that it survives a consent that is denied, fails or
 * is never answered. A login that is not to be remembered is not written.
 */
export const isToBeKept = (flow: SignedInFlow, { options, now }: Pick<FlowDependencies, 'options' | 'now'>): boolean =>
  !flow.skipLogin && (sessionEndOf(flow, options.ttl.authenticationSession) ?? 0) > Math.floor(now() / 1000);

/**
 * Writes the session of a login that is to be remembered, only in the browser that holds the flow's cookie
 * (`obstacleOf`): a verifier from another browser signs no user in. The session's id is derived from the flow and
 * claimed: a verifier that is replayed after a logout finds the record of the ended session and can't bring it back
 * (D4).
 *
 * @returns the former session of the browser, if the login ends it
 */
export const keepLogin = async (
  flow: SignedInFlow,
  browser: Browser,
  deps: LoginStep['deps'],
): Promise<SessionEnded | undefined> => {
  const seconds = Math.floor(deps.now() / 1000);
  return (await rememberLogin({ flow, browser, deps, seconds, write: browser.uow.write })).ended;
};
