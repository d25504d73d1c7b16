import type { ClientRecord } from '../clients/client-record.ts';
import { consentKey, coversConsent, mayBeRemembered } from '../consents/remembered-consents.ts';
import { sidOf } from '../flow/flow-id.ts';
import type { FlowState, SignedInFlow } from '../flow/flow-state.ts';
import { restartUrl } from '../flow/urls.ts';
import { redirect } from '../http/redirect.ts';
import type { HttpResponse } from '../http/types.ts';
import { isLiveSession, sessionKey } from '../sessions/session-record.ts';
import type { Browser } from './browser.ts';
import type { Challenges } from './challenges.ts';
import type { CommitVisit } from './commit.ts';
import { asksForConsent, isQuiet, problemOfLogin } from './policy.ts';
import { isToBeKept, keepLogin } from './remember-login.ts';
import type { FlowDependencies, Step } from './step.ts';

const noConsent = { error: 'consent_required', description: 'the user has to consent' };

/**
 * The step in which a browser returns from the login app. It is redirected to the consent app. The flow ends with an
 * error if the login was rejected, or does not meet the request (`id_token_hint`, `claims`, `prompt=none`).
 */
export const createAfterLogin = (
  deps: Pick<FlowDependencies, 'options' | 'jar' | 'subjects' | 'placeOf' | 'now'>,
  challenges: Pick<Challenges, 'askConsent'>,
  commit: CommitVisit,
): Step => {
  const { options, jar, subjects } = deps;

  /** Whether the session that a login was skipped for has ended meanwhile. */
  const hasEnded = async ({ session, params }: FlowState, { uow }: Browser): Promise<boolean> => {
    if (session === undefined) return false;
    // The remembered consent is read next: both records are read in one round trip.
    const consent = uow.read(consentKey(session.subject, params.client_id ?? ''));
    const [record] = await Promise.all([uow.read(sessionKey(session.sid)), consent]);
    return !isLiveSession(record);
  };

  const problemOf = (flow: SignedInFlow, client: ClientRecord) => {
    const { subject, forcedSubject, acr } = flow.login;
    const presented = subjects.present(client, subject, forcedSubject);
    return problemOfLogin(flow.params, { subject: presented, sid: sidOf(flow), acr });
  };

  const isCovered = (flow: SignedInFlow, client: ClientRecord, browser: Browser): boolean | Promise<boolean> =>
    !asksForConsent(flow.params) &&
    mayBeRemembered(flow, client, jar.consentHint.present(browser.cookieHeader)) &&
    coversConsent(flow, client, browser.uow);

  const askConsent = async (flow: SignedInFlow, browser: Browser, skipConsent?: boolean): Promise<HttpResponse> => {
    if (!isToBeKept(flow, deps)) return challenges.askConsent(flow, browser, skipConsent);
    const response = await challenges.askConsent({ ...flow, loginKept: true }, browser, skipConsent);
    const ended = await keepLogin(flow, browser, deps);
    return commit({ flow, browser, isUnderWay: true, ended }, response);
  };

  return async (flow, client, browser, ending) => {
    const { login, rejection } = flow;
    if (rejection || login === undefined) return ending.finish(flow, client, browser);
    if (flow.skipLogin && (await hasEnded(flow, browser))) return redirect(302, restartUrl(options.issuer, flow));
    const signedIn: SignedInFlow = { ...flow, login };
    const problem = problemOf(signedIn, client);
    if (problem) return ending.finish({ ...flow, rejection: problem }, client, browser);
    // A remembered consent does not show that the polling device belongs to the user.
    if (ending.isPolled) return askConsent(signedIn, browser);
    const covered = isCovered(signedIn, client, browser);
    const skipConsent = typeof covered === 'boolean' ? covered : await covered;
    if (skipConsent || !isQuiet(flow.params)) return askConsent(signedIn, browser, skipConsent);
    return ending.finish({ ...flow, rejection: noConsent }, client, browser);
  };
};
