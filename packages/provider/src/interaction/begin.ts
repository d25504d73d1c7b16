import type { ClientRecord } from '../clients/client-record.ts';
import type { FlowState, Rejection } from '../flow/flow-state.ts';
import type { HttpResponse } from '../http/types.ts';
import { snapshotOf } from '../sessions/session-record.ts';
import { type Browser, readBrowserSession } from './browser.ts';
import type { Challenges, RequestedFlow } from './challenges.ts';
import { isQuiet, maySkipLogin } from './policy.ts';
import type { FlowDependencies } from './step.ts';

/**
 * The redirect to the login app, or the rejection of a request with `prompt=none`, for which no page may be shown.
 *
 * @param quotaExemption as of `FlowTokens`
 */
export type Begin = (
  flow: RequestedFlow,
  client: ClientRecord,
  browser: Browser,
  quotaExemption?: string,
) => Promise<HttpResponse | Rejection>;

const notSignedIn: Rejection = { error: 'login_required', description: 'the user has to sign in' };

/**
 * Sends a browser with a validated request to the login app, which may skip the form if the login that is remembered in
 * the browser is sufficient. With `prompt=none` and no such login the request is refused (OpenID Connect Core, section
 * 3.1.2.6).
 */
export const createBegin = (deps: FlowDependencies, { askLogin }: Pick<Challenges, 'askLogin'>): Begin => {
  const { options, jar, subjects, now } = deps;
  const { supportedAcrValues, sufficientAcrs } = options;

  const rememberedFor = async (
    { params }: RequestedFlow,
    client: ClientRecord,
    browser: Browser,
  ): Promise<FlowState['session']> => {
    const record = await readBrowserSession(browser, jar);
    if (record === undefined) {
      // The cookie of an ended session is removed: it would cost a read at every visit (D15).
      if (jar.session.present(browser.cookieHeader)) browser.cookies.push(jar.session.clear());
      return undefined;
    }
    const session = snapshotOf(record);
    const login = { ...session, subject: subjects.present(client, session.subject) };
    const nowSeconds = Math.floor(now() / 1000);
    const policy = { nowSeconds, supportedAcrValues, sufficientAcrs: sufficientAcrs.get(client.id) };
    return maySkipLogin(params, login, policy) ? session : undefined;
  };

  const beginInSession: Begin = async (flow, client, browser, quotaExemption) => {
    const session = await rememberedFor(flow, client, browser);
    if (session) return askLogin({ ...flow, session, skipLogin: true }, browser, quotaExemption);
    return isQuiet(flow.params) ? notSignedIn : askLogin(flow, browser, quotaExemption);
  };

  return (flow, client, browser, quotaExemption) =>
    jar.session.present(browser.cookieHeader) || isQuiet(flow.params)
      ? beginInSession(flow, client, browser, quotaExemption)
      : askLogin(flow, browser, quotaExemption);
};
