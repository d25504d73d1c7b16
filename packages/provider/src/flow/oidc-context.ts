import { z } from 'zod';
import { spaceDelimited } from '../text/space-delimited.ts';
import type { FlowState } from './flow-state.ts';
import { decodeJwtPayload } from './jwt-payload.ts';

export const oidcContextAnswer = z
  .strictObject({
    acr_values: z.array(z.string()).optional(),
    ui_locales: z.array(z.string()).optional(),
    display: z.string().optional(),
    id_token_hint_claims: z.record(z.string(), z.unknown()).optional(),
    login_hint: z.string().optional(),
  })
  .meta({ id: 'OAuth2ConsentRequestOpenIDConnectContext' });

type Params = FlowState['params'];
type Claims = Readonly<Record<string, unknown>>;

/** The claims of `id_token_hint`. The hint was verified with the request. */
export const hintClaimsOf = ({ id_token_hint: hint }: Params): Claims | undefined =>
  hint ? decodeJwtPayload(hint) : undefined;

/** The `oidc_context` of the API: the request parameters that concern the login, other than scopes. */
export const oidcContext = (params: Params, hintClaims: Claims | undefined = hintClaimsOf(params)) => {
  const { acr_values, ui_locales, display, login_hint } = params;
  return {
    ...(acr_values ? { acr_values: spaceDelimited(acr_values) } : {}),
    ...(ui_locales ? { ui_locales: spaceDelimited(ui_locales) } : {}),
    ...(display ? { display } : {}),
    ...(hintClaims ? { id_token_hint_claims: hintClaims } : {}),
    ...(login_hint ? { login_hint } : {}),
  };
};
