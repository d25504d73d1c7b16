import { sidOf } from '../../flow/flow-id.ts';
import { spaceDelimited } from '../../text/space-delimited.ts';
import { currentState } from '../request-state.ts';
import { type ModelAdapter, nothing } from './model.ts';

/** The interaction of the flow whose answer oidc-provider forms. An interaction that begins is sealed by the flow engine. */
export const interactionModel: ModelAdapter = {
  ...nothing,
  async find(id) {
    const { flow } = currentState();
    if (flow === undefined || flow.id !== id) return undefined;
    const { login, consent, rejection, params } = flow;
    const result = rejection
      ? { error: rejection.error, error_description: rejection.description }
      : {
          login: login && { accountId: login.subject, ts: login.authTime, acr: login.acr, amr: login.amr },
          ...(consent ? { consent: {} } : {}),
        };
    return {
      jti: id,
      // Without `exp`: the expiry was checked when the flow was opened, with the tolerance for clocks that differ.
      kind: 'Interaction',
      // The granted scope replaces the requested one: a consent app may grant less, and also more.
      params: {
        ...params,
        ...(consent ? { scope: consent.scopes.join(' ') } : {}),
        ...(params.resource ? { resource: spaceDelimited(params.resource) } : {}),
      },
      result,
      returnTo: '',
      trusted: [],
    };
  },
};

/**
 * The session of the flow whose answer oidc-provider forms. The user is the one of the verifier, whatever the session
 * cookie is. The flow engine writes sessions, not oidc-provider.
 */
export const sessionModel: ModelAdapter = {
  ...nothing,
  async find() {
    const { flow } = currentState();
    if (flow === undefined) return undefined;
    const sid = sidOf(flow);
    return { jti: sid, uid: sid, kind: 'Session', authorizations: { [flow.params.client_id ?? '']: { sid } } };
  },
};
