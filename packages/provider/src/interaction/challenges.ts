import type { Clock } from '../clock.ts';
import { createFlowId } from '../flow/flow-id.ts';
import type { FlowState } from '../flow/flow-state.ts';
import type { FlowTokens, SealOptions } from '../flow/flow-tokens.ts';
import { urlWith } from '../flow/urls.ts';
import { asksForAccount } from './policy.ts';

/** A flow before its first challenge is sealed. */
export type NewFlow = Omit<FlowState, 'id' | 'expiresAt'>;

/** Where the browser is sent next. */
export interface NextStep {
  readonly url: string;
  readonly flowId: string;
}

/** Seals a flow for the app that is asked next, and names the URL of that app. Throws what sealing throws. */
export interface Challenges {
  /** Asks the login app. Without an id the flow is a new one. */
  askLogin(flow: NewFlow & { readonly id?: string }, options?: SealOptions): Promise<NextStep>;
  /** Asks the consent app, after the user has signed in. */
  askConsent(flow: FlowState, skipConsent: boolean | undefined): Promise<NextStep>;
}

export interface ChallengeDependencies extends Clock {
  readonly options: {
    readonly urls: { readonly login: string; readonly registration?: string; readonly consent: string };
    /** Seconds. */
    readonly ttl: { readonly loginConsentRequest: number };
  };
  readonly tokens: Pick<FlowTokens, 'seal'>;
}

export const createChallenges = ({ options, tokens, now }: ChallengeDependencies): Challenges => {
  const toLogin = urlWith(options.urls.login, 'login_challenge');
  const toRegistration = urlWith(options.urls.registration ?? options.urls.login, 'login_challenge');
  const toConsent = urlWith(options.urls.consent, 'consent_challenge');
  const inTime = (): number => Math.floor(now() / 1000) + options.ttl.loginConsentRequest;

  return {
    askLogin({ id = createFlowId(now()), ...flow }, sealOptions) {
      const urlFor = asksForAccount(flow.params) ? toRegistration : toLogin;
      return tokens
        .seal('login_challenge', { ...flow, id, expiresAt: inTime() }, sealOptions)
        .then((challenge) => ({ url: urlFor(challenge), flowId: id }));
    },
    askConsent(flow, skipConsent) {
      return tokens
        .seal('consent_challenge', { ...flow, expiresAt: inTime(), skipConsent })
        .then((challenge) => ({ url: toConsent(challenge), flowId: flow.id }));
    },
  };
};
