import { createFlowId } from '../flow/flow-id.ts';
import type { FlowState } from '../flow/flow-state.ts';
import { urlWith } from '../flow/urls.ts';
import { groupedUserCode, readUserCode } from '../flow/user-code.ts';
import { redirect } from '../http/redirect.ts';
import type { HttpResponse } from '../http/types.ts';
import type { Browser } from './browser.ts';
import { pages } from './pages.ts';
import { asksForAccount } from './policy.ts';
import type { FlowDependencies } from './step.ts';

/**
 * A validated authorization request, or a device flow whose user code was accepted. Without an id the flow begins with
 * this visit.
 */
export type RequestedFlow = Omit<FlowState, 'id' | 'expiresAt'> & { readonly id?: string };

/**
 * Seals a flow for the app that is asked next, binds the flow to the browser by a cookie, and redirects the browser to
 * that app. Throws what sealing throws.
 */
export const createChallenges = ({ options, tokens, jar, now }: FlowDependencies) => {
  const { urls, ttl } = options;
  const toLogin = urlWith(urls.login, 'login_challenge');
  const toRegistration = urlWith(urls.registration ?? urls.login, 'login_challenge');
  const toConsent = urlWith(urls.consent, 'consent_challenge');
  const inTime = (): number => Math.floor(now() / 1000) + ttl.loginConsentRequest;

  const send = (url: string, flowId: string, browser: Browser): HttpResponse => {
    browser.cookies.push(jar.flow.set(flowId, ttl.loginConsentRequest));
    return redirect(302, url);
  };

  /** The first challenge of a flow. The oldest flow cookies of the browser are removed if it has too many. */
  const sendFirst = (url: string, flowId: string, browser: Browser): HttpResponse => {
    const response = send(url, flowId, browser);
    browser.cookies.push(...jar.flow.evict(browser.cookieHeader));
    return response;
  };

  return {
    /** Asks the user for the code of a device, on the operator's page (RFC 8628, section 3.3). */
    async askForUserCode(query: URLSearchParams, browser: Browser): Promise<HttpResponse> {
      const page = urls.device.verification;
      if (page === undefined) return pages.noDevicePage();
      const params: Record<string, string> = query.get('prompt') === 'login' ? { prompt: 'login' } : {};
      const state: FlowState = { id: createFlowId(now()), expiresAt: inTime(), params };
      const url = new URL(page);
      url.searchParams.set('device_challenge', await tokens.seal('device_challenge', state));
      // The page shows the code and asks whether it is the one on the device: a link alone signs no device in (section
      // 5.4).
      const code = readUserCode(query.get('user_code') ?? '', options.features.device.userCode);
      if (code !== undefined) url.searchParams.set('user_code', groupedUserCode(code));
      return sendFirst(url.href, state.id, browser);
    },

    /** Asks the login app. */
    askLogin(flow: RequestedFlow, browser: Browser, quotaExemption?: string): Promise<HttpResponse> {
      const { id = createFlowId(now()) } = flow;
      const urlFor = asksForAccount(flow.params) ? toRegistration : toLogin;
      const redirectTo = flow.id === undefined ? sendFirst : send;
      return tokens
        .seal('login_challenge', { ...flow, id, expiresAt: inTime() }, quotaExemption)
        .then((challenge) => redirectTo(urlFor(challenge), id, browser));
    },

    /** Asks the consent app, after the user has signed in. */
    async askConsent(flow: FlowState, browser: Browser, skipConsent: boolean | undefined): Promise<HttpResponse> {
      const challenge = await tokens.seal('consent_challenge', { ...flow, expiresAt: inTime(), skipConsent });
      return send(toConsent(challenge), flow.id, browser);
    },
  };
};

export type Challenges = ReturnType<typeof createChallenges>;
