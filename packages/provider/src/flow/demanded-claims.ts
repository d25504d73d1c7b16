import type { FlowState } from './flow-state.ts';

type Params = FlowState['params'];

interface DemandedClaims {
  readonly sub?: { readonly value?: unknown } | null;
  readonly acr?: {
    readonly essential?: boolean;
    readonly value?: unknown;
    readonly values?: readonly unknown[];
  } | null;
}

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
