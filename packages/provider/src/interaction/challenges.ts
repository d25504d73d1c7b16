import { createFlowId } from '../flow/flow-id.ts';
import type { FlowState } from '../flow/flow-state.ts';
import type { SealOptions } from '../flow/flow-tokens.ts';
import { urlWith } from '../flow/urls.ts';
import type { OidcDependencies } from '../library/dependencies.ts';
import type { NextStep } from '../library/request-state.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { asksForAccount } from './policy.ts';

/** A flow before anything of it was sealed. */
export type NewFlow = Omit<FlowState, 'id' | 'expiresAt'>;

/** Seals a flow for the app that is asked next, and says where that is. Throws what sealing throws. */
export interface Challenges {
  /** The login app is asked about a request. */
  begin(flow: NewFlow, options?: SealOptions): Promise<NextStep>;
  /** The consent app is asked, once it is known who is there. */
  askConsent(flow: FlowState, skipConsent: boolean | undefined): Promise<NextStep>;
}

export const createChallenges = ({
  options,
  tokens,
  now,
}: Pick<OidcDependencies, 'options' | 'tokens' | 'now'>): Challenges => {
  const toLogin = urlWith(options.urls.login, 'login_challenge');
  const toRegistration = urlWith(options.urls.registration ?? options.urls.login, 'login_challenge');
  const toConsent = urlWith(options.urls.consent, 'consent_challenge');
  const inTime = (): number => Math.floor(now() / 1000) + options.ttl.loginConsentRequest;

  return {
    async begin(flow, sealOptions) {
      const state: FlowState = { id: createFlowId(now()), expiresAt: inTime(), ...flow };
      const challenge = await tokens.seal('login_challenge', state, sealOptions);
      const to = asksForAccount(new Set(spaceDelimited(flow.params.prompt))) ? toRegistration : toLogin;
      return { url: to(challenge), flowId: state.id };
    },
    async askConsent(flow, skipConsent) {
      const challenge = await tokens.seal('consent_challenge', { ...flow, expiresAt: inTime(), skipConsent });
      return { url: toConsent(challenge), flowId: flow.id };
    },
  };
};
