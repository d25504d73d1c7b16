import type { FoundRecord, Write } from '@carnet/adapter-contract';
import { grantIdOf, sidOf } from '../flow/flow-id.ts';
import type { DecidedFlow, FlowState } from '../flow/flow-state.ts';
import { keptRequestOf } from '../flow/kept-request.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import type { EffectiveGrant, GrantPayload } from '../tokens/grant-details.ts';
import type { Authentication } from '../tokens/id-token.ts';
import { grantKey } from '../tokens/token-value.ts';

/** Whether the authorization response contains tokens, so that no code has to be redeemed. */
export const issuesAtOnce = ({ response_type }: FlowState['params']): boolean => response_type !== 'code';

/** The `claims` parameter (OpenID Connect Core, section 5.5). */
export interface ClaimsRequest {
  readonly userinfo?: Readonly<Record<string, unknown>>;
  readonly id_token?: Readonly<Record<string, unknown>>;
}

/** The `claims` parameter of a token, as oidc-provider derives it from the request. */
export const requestedClaims = (params: FlowState['params']): ClaimsRequest | undefined => {
  const { id_token: idToken, ...others } = params.claims ? (JSON.parse(params.claims) as ClaimsRequest) : {};
  const acr = params.acr_values ? { acr: { values: params.acr_values.split(' ') } } : {};
  const all = { ...others, id_token: { ...idToken, ...acr } };
  return params.claims || params.acr_values ? all : undefined;
};

/** The content of the grant of a decided flow. */
export const grantPayload = (state: DecidedFlow): GrantPayload => {
  const { params, login, consent, skipConsent } = state;
  const resources = spaceDelimited(params.resource).filter((resource) => consent.audience.includes(resource));
  return {
    scope: consent.scopes.join(' '),
    audience: consent.audience.filter((one) => !resources.includes(one)),
    resources: resources.length > 0 ? resources : undefined,
    sid: sidOf(state),
    handledAt: consent.handledAt,
    registration: consent.registration,
    authTime: login.authTime || undefined,
    idToken: consent.idToken,
    accessToken: consent.accessToken,
    authorizationDetails: consent.authorizationDetails,
    forcedSubject: login.forcedSubject,
    request: keptRequestOf(state),
    acr: login.acr,
    amr: login.amr,
    rememberFor: consent.remember && !skipConsent ? (consent.rememberFor ?? 0) : undefined,
    skip: skipConsent ? true : undefined,
    context: consent.context,
  };
};

/** The grant of a decided flow. It is stored when its code is redeemed. */
export const pendingGrant = (state: DecidedFlow, payload: GrantPayload): FoundRecord => ({
  ...grantKey(grantIdOf(state)),
  payload: JSON.stringify(payload),
  expiresAt: null,
  subject: state.login.subject,
  clientId: state.params.client_id ?? '',
  consumedAt: null,
  members: [],
});

/** The source of user tokens: a code, a refresh token, or a polled request that the user has allowed. */
export interface UserGrant {
  /** Decides the lifetime of the ID token. */
  readonly grantType: string;
  /** The grant types that led to the tokens, space-delimited, the last one last. */
  readonly gty: string;
  /** The scope of the code, or of the refresh token. */
  readonly scope: string;
  readonly authentication: Authentication;
  readonly claims?: ClaimsRequest;
  /** The granted resources. */
  readonly resources?: readonly string[];
  /** The record of the grant. */
  readonly record: FoundRecord;
  readonly isStored: boolean;
  /** The payload of the record. */
  readonly payload: GrantPayload;
  /** The hooks have changed the payload. */
  readonly isChanged?: true;
  readonly effective: EffectiveGrant;
  /** Milliseconds since 1970: until when tokens may live that were issued for the grant before. */
  readonly issuedUntil?: number;
}

/** The write that extends the expiry of a grant to that of its tokens. Undefined if it is long enough. */
export const writeOfGrant = (
  { record, isStored, isChanged }: Pick<UserGrant, 'record' | 'isStored' | 'isChanged'>,
  /** Milliseconds since 1970: when the last of its tokens expires. */
  expiresAt: number,
): Write | undefined => {
  const storedUntil = record.expiresAt?.getTime() ?? 0;
  if (expiresAt <= storedUntil && !isChanged) return undefined;
  const { consumedAt, members, ...stored } = record;
  // `onlyIfPresent`: a grant that was revoked since it was read is not restored.
  return {
    type: 'put',
    record: { ...stored, expiresAt: new Date(Math.max(expiresAt, storedUntil)) },
    onlyIfPresent: isStored,
  };
};
