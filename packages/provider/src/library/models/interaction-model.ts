import type { Rejection } from '../../flow/flow-state.ts';
import { spaceDelimited } from '../../text/space-delimited.ts';
import { currentState, rememberFailure } from '../request-state.ts';
import { type ModelAdapter, type ModelOptions, nothing } from './model.ts';

/** A consent app that accepts and grants nothing means no. */
const nothingGranted: Rejection = { error: 'access_denied', description: 'no scope was granted' };

/** An interaction is the sealed flow: saved into a URL, found in the verifier. */
export const interactionModel = ({ beginInteraction }: ModelOptions): ModelAdapter => ({
  ...nothing,
  upsert: (_id, payload) => rememberFailure(currentState(), () => beginInteraction(payload)),
  async find(id) {
    const { flow } = currentState();
    if (flow === undefined || flow.id !== id) return undefined;
    const { login, consent, rejection, params } = flow;
    const refused = consent?.scopes.length === 0 ? nothingGranted : rejection;
    const result = refused
      ? { error: refused.error, error_description: refused.description }
      : {
          login: login && { accountId: login.subject, ts: login.authTime, acr: login.acr, amr: login.amr },
          ...(consent ? { consent: {} } : {}),
        };
    return {
      jti: id,
      // No `exp`: that the flow has not expired was found out when it was opened, clocks that differ granted for.
      kind: 'Interaction',
      // The granted scope stands in for the requested one: a login app may grant less, and also more.
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
});
