import { type AuthorizationDetail, detailsIn } from '../clients/authorization-details.ts';
import { consentRequestIdOf, loginRequestIdOf, sidOf } from '../flow/flow-id.ts';
import type { AskingDevice } from '../flow/flow-state.ts';
import { parseWith } from '../validation.ts';
import { type AcceptConsent, acceptConsent, type RejectRequest } from './arguments.ts';
import {
  clientIdOf,
  createPage,
  existing,
  type PageRequest,
  type Redirect,
  type RequestsDependencies,
} from './challenge.ts';
import { decideConsent } from './decisions.ts';

export interface ConsentRequest extends PageRequest {
  readonly consentRequestId: string;
  /** The user who signed in. */
  readonly subject: string;
  /** The id of the login request. It is not its challenge. */
  readonly loginRequestId: string;
  /** The `sid` of the session. */
  readonly sessionId: string;
  readonly acr?: string;
  readonly amr: readonly string[];
  /** The device for which the user consents (RFC 8628): show it, so that the user can compare it (section 5.4). */
  readonly device?: AskingDevice;
  /** The `context` of the accepted login. */
  readonly context?: unknown;
  /** The `authorization_details` parameter (RFC 9396). Absent if the client sent none. */
  readonly requestedAuthorizationDetails?: readonly AuthorizationDetail[];
}

/**
 * The consent requests that Carnet redirects browsers to your consent page with. All three functions throw CarnetError
 * `not_found` for a challenge that is not valid, and GoneError with `redirectTo` for one that has expired or was used.
 */
export interface ConsentRequests {
  /** Gets the request of a `consent_challenge`. */
  get(challenge: string): Promise<ConsentRequest>;
  /**
   * Grants the client what the user allows.
   *
   * @throws CarnetError `invalid_request` with the `field` that is wrong, such as a scope that the client has not registered
   * @example
   * const { redirectTo } = await carnet.requests.consent.accept(challenge, {
   *   grantScopes: ['openid', 'email'],
   *   claims: { idToken: { email: user.email } },
   * });
   */
  accept(challenge: string, decision: AcceptConsent): Promise<Redirect>;
  /** Refuses consent. The client receives the error. */
  reject(challenge: string, reason?: RejectRequest): Promise<Redirect>;
}

export const createConsentRequests = (deps: RequestsDependencies): ConsentRequests => {
  const { tokens, clients, refuse } = deps;
  const { open, present, redirect, reject } = createPage(deps, 'consent');
  return {
    async get(challenge) {
      const state = await open(challenge);
      const client = existing(await clients.find(clientIdOf(state)));
      const { login, device } = state;
      const { authorization_details: details } = state.params;
      return {
        ...present(challenge, state, client),
        consentRequestId: consentRequestIdOf(state),
        skip: state.skipConsent === true,
        subject: login?.subject ?? '',
        loginRequestId: loginRequestIdOf(state.id),
        sessionId: sidOf(state),
        acr: login?.acr,
        // Copies: the state is used again for each call with this challenge, whatever the page does with its request.
        ...{ amr: [...(login?.amr ?? [])], device: device && { ...device } },
        context: login?.context && structuredClone(login.context),
        requestedAuthorizationDetails: details === undefined ? undefined : detailsIn(details),
      };
    },
    async accept(challenge, decision) {
      const state = await open(challenge);
      const parsed = parseWith(acceptConsent, decision, refuse);
      const client = existing(await clients.find(clientIdOf(state)));
      const consent = decideConsent(client, state, parsed, deps);
      return redirect(state, await tokens.seal('consent_verifier', { ...state, consent }));
    },
    reject,
  };
};
