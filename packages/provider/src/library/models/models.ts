import { Provider } from 'oidc-provider';
import { sidOf } from '../../flow/flow-id.ts';
import { grantModel as toModel } from '../../grants/grant-record.ts';
import { spaceDelimited } from '../../text/space-delimited.ts';
import { createFindActiveToken } from '../../tokens/active-token.ts';
import { grantKey } from '../../tokens/token-value.ts';
import { recordOf } from '../clients.ts';
import { currentState, rememberFailure } from '../request-state.ts';
import { type ModelAdapter, type ModelOptions, nothing } from './model.ts';
import { replayModel } from './replay-model.ts';

/** Access tokens as userinfo finds them. */
const accessTokenModel = ({ jwts, clients }: ModelOptions): ModelAdapter => {
  const findActiveToken = createFindActiveToken({
    read: (keys) => Promise.all(keys.map((key) => currentState().uow.read(key))),
    clients,
    jwts,
  });
  return {
    ...nothing,
    async find(value) {
      const found = await rememberFailure(currentState(), () => findActiveToken(value));
      if (found?.use !== 'access_token' || found.grant === undefined) return undefined;
      const { client, grant, subject: accountId, resource: aud, exp, iat, scope, cnf } = found;
      const { grantId } = grant.record;
      const members = { jti: value, kind: 'AccessToken', clientId: client.id, accountId, grantId };
      return { ...members, aud, exp, iat, scope, ...cnf };
    },
  };
};

/** The interaction of the flow whose answer oidc-provider forms. An interaction that begins is sealed by the flow engine. */
const interactionModel: ModelAdapter = {
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
const sessionModel: ModelAdapter = {
  ...nothing,
  async find() {
    const { flow } = currentState();
    if (flow === undefined) return undefined;
    const sid = sidOf(flow);
    return { jti: sid, uid: sid, kind: 'Session', authorizations: { [flow.params.client_id ?? '']: { sid } } };
  },
};

const grantModel = ({ scopeMatch }: ModelOptions): ModelAdapter => ({
  ...nothing,
  async find(grantId) {
    const record = await currentState().uow.read(grantKey(grantId));
    const client = Provider.ctx?.oidc.client;
    return record && client && toModel(record, recordOf(client), scopeMatch);
  },
});

/** oidc-provider's models that no feature adds, by name. */
export const createModels = (options: ModelOptions): Readonly<Record<string, ModelAdapter>> => ({
  Session: sessionModel,
  Interaction: interactionModel,
  // A code is the sealed flow: nothing of it is stored.
  AuthorizationCode: nothing,
  Grant: grantModel(options),
  AccessToken: accessTokenModel(options),
  ReplayDetection: replayModel(options),
});
