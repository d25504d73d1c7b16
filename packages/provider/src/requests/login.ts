import { sidOf } from '../flow/flow-id.ts';
import { restartUrl } from '../flow/urls.ts';
import { parseWith } from '../validation.ts';
import { type AcceptLogin, acceptLogin, type RejectRequest } from './arguments.ts';
import {
  clientIdOf,
  createPage,
  existing,
  type PageRequest,
  type Redirect,
  type RequestsDependencies,
} from './challenge.ts';
import { decideLogin } from './decisions.ts';

export interface LoginRequest extends PageRequest {
  /** The user of the remembered login. Only if `skip`. */
  readonly subject?: string;
  /** The `sid` of the session that this login creates or continues. */
  readonly sessionId: string;
}

/**
 * The login requests that Carnet redirects browsers to your login page with. All three functions throw CarnetError
 * `not_found` for a challenge that is not valid, and GoneError with `redirectTo` for one that has expired or was used.
 */
export interface LoginRequests {
  /** Gets the request of a `login_challenge`. */
  get(challenge: string): Promise<LoginRequest>;
  /**
   * Accepts a login, once the page has authenticated the user.
   *
   * @throws CarnetError `invalid_request` with the `field` that is wrong
   * @example
   * const { redirectTo } = await carnet.requests.login.accept(challenge, { subject: user.id, remember: true });
   * response.redirect(303, redirectTo);
   */
  accept(challenge: string, decision: AcceptLogin): Promise<Redirect>;
  /** Refuses a login. The client receives the error. */
  reject(challenge: string, reason?: RejectRequest): Promise<Redirect>;
}

export const createLoginRequests = (deps: RequestsDependencies): LoginRequests => {
  const { issuer, tokens, clients, now, refuse } = deps;
  const { open, present, redirect, reject } = createPage(deps, 'login');
  return {
    async get(challenge) {
      const state = await open(challenge);
      const skip = state.skipLogin === true;
      const subject = skip ? state.session?.subject : undefined;
      const client = existing(await clients.find(clientIdOf(state)));
      return { ...present(challenge, state, client), skip, subject, sessionId: sidOf(state) };
    },
    async accept(challenge, decision) {
      const state = await open(challenge);
      const login = decideLogin(state, parseWith(acceptLogin, decision, refuse), Math.floor(now() / 1000));
      // A skipped login that is accepted for another user (D16): the request starts again, and that user signs in.
      if (state.skipLogin && state.session?.subject !== login.subject) {
        return { redirectTo: restartUrl(issuer, state, { prompt: 'login' }) };
      }
      return redirect(state, await tokens.seal('login_verifier', { ...state, login }));
    },
    reject,
  };
};
