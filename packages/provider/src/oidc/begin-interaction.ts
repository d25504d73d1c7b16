import { createFlowId } from '../flow/flow-id.ts';
import type { FlowState } from '../flow/flow-state.ts';
import type { OidcDependencies } from './dependencies.ts';
import { currentState } from './request-state.ts';
import { snapshotOf } from './sessions.ts';

const stringsOf = (params: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** Seals the next challenge where oidc-provider would store an interaction. */
export const createInteractionStart = ({
  options,
  tokens,
  now,
}: Pick<OidcDependencies, 'options' | 'tokens' | 'now'>) => {
  const withParam = (base: string, name: string, value: string): string => {
    const url = new URL(base);
    url.searchParams.set(name, value);
    return url.href;
  };

  return async (payload: Record<string, unknown>): Promise<void> => {
    const request = currentState();
    const expiresAt = Math.floor(now() / 1000) + options.ttl.loginConsentRequest;
    if (request.flow) {
      const state: FlowState = { ...request.flow, expiresAt, skipConsent: request.skipConsent };
      const challenge = await tokens.seal('consent_challenge', state);
      request.next = { url: withParam(options.urls.consent, 'consent_challenge', challenge), flowId: state.id };
      return;
    }
    const params = stringsOf(payload.params as Record<string, unknown>);
    if (request.quietly) params.prompt = 'none';
    const remembered =
      request.skipLogin && request.session ? { session: snapshotOf(request.session), skipLogin: true } : {};
    const state: FlowState = { id: createFlowId(now()), expiresAt, params, ...remembered };
    const challenge = await tokens.seal('login_challenge', state);
    request.next = { url: withParam(options.urls.login, 'login_challenge', challenge), flowId: state.id };
  };
};
