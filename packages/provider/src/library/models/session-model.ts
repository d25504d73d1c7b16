import { sidOf } from '../../flow/flow-id.ts';
import { isLiveSession, sessionKey, snapshotOf } from '../../sessions/session-record.ts';
import { currentState } from '../request-state.ts';
import { type ModelAdapter, nothing } from './model.ts';

/** Nothing of a session is written by oidc-provider: it is created once, by the flow that completes. */
export const sessionModel: ModelAdapter = {
  ...nothing,
  async find(sid) {
    const request = currentState();
    const { flow } = request;
    // On the way back the person is who the verifier says; the session cookie has no part in it.
    if (flow) {
      const sid = sidOf(flow);
      return { jti: sid, uid: sid, kind: 'Session', authorizations: { [flow.params.client_id ?? '']: { sid } } };
    }
    const record = await request.uow.read(sessionKey(sid));
    if (!isLiveSession(record)) {
      request.sessionIsGone = true;
      return undefined;
    }
    request.session = record;
    const { subject, authTime, acr, amr } = snapshotOf(record);
    return { jti: sid, uid: sid, kind: 'Session', accountId: subject, loginTs: authTime, acr, amr };
  },
};
