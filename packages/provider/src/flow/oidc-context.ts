import { readJws } from '@carnet/signer-contract/jws';
import { z } from 'zod';
import { spaceDelimited } from '../text/space-delimited.ts';
import type { FlowState } from './flow-state.ts';

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

interface DemandedClaim {
  readonly essential?: boolean;
  readonly value?: unknown;
  readonly values?: readonly unknown[];
}

type DemandedClaims = Readonly<Partial<Record<'sub' | 'acr', DemandedClaim | null>>>;

/** The members of the `claims` parameter that are about the login itself (OpenID Connect Core, section 5.5.1). */
const demandedOf = ({ claims }: Params): DemandedClaims =>
  claims ? ((JSON.parse(claims) as { readonly id_token?: DemandedClaims }).id_token ?? {}) : {};

/** The subject that the claim `sub` demands; undefined if it demands none. */
export const demandedSubject = (params: Params): unknown => demandedOf(params).sub?.value;

/** The classes of which an essential `acr` demands one (OpenID Connect Core, section 5.5.1.1); undefined if it demands none. */
export const demandedAcrs = (params: Params): readonly string[] | undefined => {
  const { essential, value, values = value === undefined ? undefined : [value] } = demandedOf(params).acr ?? {};
  return essential ? values?.filter((acr) => typeof acr === 'string') : undefined;
};

/** The claims of `id_token_hint`. The hint was verified with the request. */
export const hintClaimsOf = ({ id_token_hint: hint }: Params): Claims | undefined =>
  hint ? readJws(hint)?.claims : undefined;

/** The parameters of the authorization request that concern the login (OpenID Connect Core, section 3.1.2.1). */
export interface OidcContext {
  readonly acrValues?: readonly string[];
  readonly uiLocales?: readonly string[];
  readonly display?: string;
  readonly idTokenHintClaims?: Claims;
  readonly loginHint?: string;
}

export const oidcContext = (params: Params, hintClaims: Claims | undefined = hintClaimsOf(params)): OidcContext => ({
  // The login app reaches an essential `acr` as it reaches `acr_values`. `policy.ts` refuses a login that has not.
  acrValues: params.acr_values ? spaceDelimited(params.acr_values) : demandedAcrs(params),
  uiLocales: params.ui_locales ? spaceDelimited(params.ui_locales) : undefined,
  display: params.display || undefined,
  idTokenHintClaims: hintClaims,
  loginHint: params.login_hint || undefined,
});

/** The `oidc_context` of the HTTP API. JSON leaves out the members that are undefined. */
export const oidcContextBody = ({ acrValues, uiLocales, display, idTokenHintClaims, loginHint }: OidcContext) => ({
  acr_values: acrValues,
  ui_locales: uiLocales,
  display,
  id_token_hint_claims: idTokenHintClaims,
  login_hint: loginHint,
});
