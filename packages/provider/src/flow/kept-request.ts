import { z } from 'zod';
import { members, texts } from '../storage/payload.ts';
import { loginRequestIdOf } from './flow-id.ts';
import type { FlowState } from './flow-state.ts';
import { hintClaimsOf } from './oidc-context.ts';

export const keptRequest = z.object({
  /** The parameters without `id_token_hint`: the store keeps no token. */
  params: texts,
  /** The claims of `id_token_hint`. */
  hintClaims: members.optional(),
  /** The id of the login request, 32 hexadecimal digits. */
  loginChallenge: z.string(),
  /** The context that the login app passed to the consent app. */
  context: z.unknown().optional(),
  /** The flow began with a polled request (device or CIBA), not at the authorization endpoint. The name is stored. */
  waiting: z.literal(true).optional(),
});

/** The authorization request of a consent. It is stored with the consent for the list of consents. */
export type KeptRequest = Readonly<z.output<typeof keptRequest>>;

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
