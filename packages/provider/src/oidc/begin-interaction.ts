import { createFlowId } from '../flow/flow-id.ts';
import type { FlowState } from '../flow/flow-state.ts';
import { urlWith } from '../flow/urls.ts';
import { words, wordsOfAll } from '../flow/words.ts';
import { snapshotOf } from '../sessions/session-record.ts';
import type { OidcDependencies } from './dependencies.ts';
import { asksForAccount } from './policy.ts';
import { currentState } from './request-state.ts';

const stringsOf = (params: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** Seals the next challenge where oidc-provider would store an interaction. */
export const createInteractionStart = ({
  options,
  tokens,
  now,
}: Pick<OidcDependencies, 'options' | 'tokens' | 'now'>) => {
  const toLogin = urlWith(options.urls.login, 'login_challenge');
  const toRegistration = urlWith(options.urls.registration ?? options.urls.login, 'login_challenge');
  const toConsent = urlWith(options.urls.consent, 'consent_challenge');

  return async (payload: Record<string, unknown>): Promise<void> => {
    const request = currentState();
    const expiresAt = Math.floor(now() / 1000) + options.ttl.loginConsentRequest;
    if (request.flow) {
      const state: FlowState = { ...request.flow, expiresAt, skipConsent: request.skipConsent };
      const challenge = await tokens.seal('consent_challenge', state);
      request.next = { url: toConsent(challenge), flowId: state.id };
      return;
    }
    const sent = payload.params as Record<string, unknown>;
    const params = stringsOf({ ...sent, resource: wordsOfAll(sent.resource).join(' ') || undefined });
    if (request.quietly) params.prompt = 'none';
    const remembered =
      request.skipLogin && request.session ? { session: snapshotOf(request.session), skipLogin: true } : {};
    const { pushed } = request;
    const state: FlowState = { id: createFlowId(now()), expiresAt, params, ...remembered, pushedId: pushed?.id };
    const vouchedFor = pushed?.isAuthenticated ? pushed.id : undefined;
    const challenge = await tokens.seal('login_challenge', state, { vouchedFor });
    const to = asksForAccount(new Set(words(params.prompt))) ? toRegistration : toLogin;
    request.next = { url: to(challenge), flowId: state.id };
  };
};
