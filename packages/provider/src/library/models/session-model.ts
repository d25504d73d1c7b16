import { sidOf } from '../../flow/flow-id.ts';
import { currentState } from '../request-state.ts';
import { type ModelAdapter, nothing } from './model.ts';

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
