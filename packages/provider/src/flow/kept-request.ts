import { loginRequestIdOf } from './flow-id.ts';
import type { FlowState } from './flow-state.ts';
import { hintClaimsOf } from './oidc-context.ts';

/** The authorization request of a consent. It is stored with the consent for the list of consents. */
export interface KeptRequest {
  /** The parameters without `id_token_hint`: the store keeps no token. */
  readonly params: FlowState['params'];
  /** The claims of `id_token_hint`. */
  readonly hintClaims?: Readonly<Record<string, unknown>>;
  /** The id of the login request, 32 hexadecimal digits. */
  readonly loginChallenge: string;
  /** The context that the login app passed to the consent app. */
  readonly context?: unknown;
  /** The flow began with a polled request (device or CIBA), not at the authorization endpoint. The name is stored. */
  readonly waiting?: true;
}

export const keptRequestOf = ({ id, params, login, waiting }: FlowState): KeptRequest => {
  const { id_token_hint: _hint, ...kept } = params;
  return {
    params: kept,
    hintClaims: hintClaimsOf(params),
    loginChallenge: loginRequestIdOf(id),
    context: login?.context,
    waiting: waiting && true,
  };
};
