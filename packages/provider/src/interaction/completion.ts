import type { Write } from '@carnet/adapter-contract';
import { consentRecord, consentReference, consentReferenceKey, readConsent } from '../consents/remembered-consents.ts';
import { completionIdOf, sidOf } from '../flow/flow-id.ts';
import { type DecidedFlow, type FlowState, isAllowed } from '../flow/flow-state.ts';
import { replayMarginSeconds } from '../flow/redemptions.ts';
import { issuesAtOnce } from '../grants/grant-record.ts';
import type { SessionEnded } from '../sessions/delivery-record.ts';
import { sessionKey } from '../sessions/session-record.ts';
import { recordId } from '../storage/record-id.ts';
import type { Browser } from './browser.ts';
import { type LoginStep, rememberLogin } from './remember-login.ts';

/** Seconds: the lifetime of a cookie that never expires. Browsers keep no cookie longer (RFC 6265bis, section 5.5). */
const forever = 400 * 86_400;

type Step = LoginStep & { readonly flow: DecidedFlow };

/** A client with tokens is notified of a logout. A client with a code joins the session when it redeems the code. */
const membersOf = ({ params }: DecidedFlow): readonly string[] =>
  issuesAtOnce(params) ? [params.client_id ?? ''] : [];

/**
 * Changes only the expiry of the session and adds clients: an ended session is not restored (D4), and no client is
 * lost.
 */
const extendSession = ({ flow, browser, deps, seconds, write }: Step): void => {
  const lifetime = flow.login.rememberFor ?? deps.options.ttl.authenticationSession;
  const sid = sidOf(flow);
  const expiresAt = new Date((seconds + lifetime) * 1000);
  write({ type: 'merge', key: sessionKey(sid), members: membersOf(flow), expiresAt });
  browser.cookies.push(deps.jar.session.set(sid, lifetime));
};

/** The client joins the session that its tokens come from. A conflict if the session has ended meanwhile. */
const joinSession = ({ flow, write }: Step): void => {
  if (issuesAtOnce(flow.params)) write({ type: 'merge', key: sessionKey(sidOf(flow)), members: membersOf(flow) });
};

const rememberConsent = async ({ flow, browser, deps, seconds, write }: Step): Promise<void> => {
  const consent = consentRecord(flow);
  const former = deps.jar.consentHint.present(browser.cookieHeader) ? await browser.uow.read(consent) : undefined;
  write({ type: 'put', record: consent });
  // The reference of a replaced consent leads nowhere. No record is read for a browser without a remembered consent.
  if (former) write({ type: 'remove', key: consentReferenceKey(readConsent(former).grantId ?? '') });
  write({ type: 'put', record: consentReference({ flow, consent }, new Date((seconds + forever) * 1000)) });
  browser.cookies.push(deps.jar.consentHint.set(flow.consent.rememberFor ?? forever));
};

/**
 * The claim by which a flow remembers its consent once, and issues the tokens of its authorization response once. A
 * replayed verifier conflicts with it, even after a logout or a revocation (D5). A code is claimed by its redemption.
 */
const completionClaim = ({ flow, seconds, deps }: Step): Write => ({
  type: 'claim',
  record: {
    kind: 'replay',
    // Only one of the flows of a pushed request issues tokens, because they share one grant (RFC 9126, section 4).
    id: recordId(completionIdOf((issuesAtOnce(flow.params) ? flow.pushedId : undefined) ?? flow.id)),
    payload: '{}',
    expiresAt: new Date((seconds + 2 * deps.options.ttl.loginConsentRequest + replayMarginSeconds) * 1000),
  },
});

const remember = async (visit: Omit<Step, 'write'>, answer: Write | undefined): Promise<SessionEnded | undefined> => {
  const writes: Write[] = [];
  const step: Step = { ...visit, write: (write) => void writes.push(write) };
  const { flow } = step;
  const hasSession = flow.skipLogin || flow.loginKept;
  const login = hasSession ? undefined : await rememberLogin(step);
  const isExtended = flow.skipLogin === true && flow.login.extendSession === true;
  if (isExtended) extendSession(step);
  else if (hasSession || login?.isRemembered) joinSession(step);
  const hasConsent = flow.consent.remember && !flow.skipConsent;
  if (hasConsent) await rememberConsent(step);
  const isChange = hasConsent || login?.isRemembered || isExtended || answer;
  // The claim comes first, and all of this before the tokens: where a commit is atomic for one record only, nothing is
  // remembered and no token issued without it.
  const claims = isChange || issuesAtOnce(flow.params) ? [completionClaim(step)] : [];
  step.browser.uow.writeFirst([...claims, ...(answer ? [answer] : []), ...writes]);
  return login?.ended;
};

/**
 * Ends a flow: removes its cookie, and adds the writes that remember the login and the consent to the unit of work.
 *
 * @param answer the claim of the decision for which a device polls. The store accepts one decision for each request
 * @returns the former session of the browser, if the login ends it
 */
export const conclude = async (
  flow: FlowState,
  browser: Browser,
  deps: Step['deps'],
  answer?: Write,
): Promise<SessionEnded | undefined> => {
  browser.cookies.push(deps.jar.flow.clear(flow.id));
  if (isAllowed(flow)) return remember({ flow, browser, deps, seconds: Math.floor(deps.now() / 1000) }, answer);
  if (answer) browser.uow.write(answer);
  return undefined;
};
