import type { ClientRecord } from '../clients/client-record.ts';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import { consentKey, coversConsent, mayBeRemembered } from '../consents/remembered-consents.ts';
import type { CookieJar } from '../flow/cookies.ts';
import { sidOf } from '../flow/flow-id.ts';
import type { FlowState, SignedInFlow } from '../flow/flow-state.ts';
import { restartUrl } from '../flow/urls.ts';
import { redirect } from '../http/redirect.ts';
import type { HttpResponse } from '../http/types.ts';
import { isLiveSession, sessionKey } from '../sessions/session-record.ts';
import type { Browser } from './browser.ts';
import type { Challenges } from './challenges.ts';
import type { CommitVisit } from './commit.ts';
import { bindingCookies } from './flow-binding.ts';
import { asksForConsent, isQuiet, problemOfLogin } from './policy.ts';
import { isToBeKept, keepLogin, type RememberDependencies } from './remember-login.ts';
import type { Step } from './step.ts';

export interface AfterLoginDependencies extends RememberDependencies {
  readonly options: RememberDependencies['options'] & { readonly issuer: string };
  readonly jar: CookieJar;
  readonly challenges: Pick<Challenges, 'askConsent'>;
  readonly subjects: Pick<SubjectIdentifiers, 'present'>;
  readonly commit: CommitVisit;
}

const noConsent = { error: 'consent_required', description: 'the user has to consent' };

/**
 * The step in which a browser returns from the login app. It is redirected to the consent app. The flow ends with an
 * error if the login was rejected, or does not meet the request (`id_token_hint`, `claims`, `prompt=none`).
 */
export const createAfterLogin = (deps: AfterLoginDependencies): Step => {
  const { options, jar, challenges, subjects, commit } = deps;

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
    const isKept = isToBeKept(flow, deps);
    const next = await challenges.askConsent(isKept ? { ...flow, loginKept: true } : flow, skipConsent);
    const response = redirect(302, next.url);
    if (!isKept) {
      browser.cookies.push(...bindingCookies(next, deps, undefined));
      return response;
    }
    const afterCommit = await keepLogin(flow, browser, deps);
    browser.cookies.push(...bindingCookies(next, deps, undefined));
    return commit(browser, response, { flow, isUnderWay: true, afterCommit });
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
