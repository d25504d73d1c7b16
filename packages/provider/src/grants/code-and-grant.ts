import type { FoundRecord, Write } from '@carnet/adapter-contract';
import type { AuthorizationDetail } from '../clients/authorization-details.ts';
import {
  type Given,
  isOfRegistration,
  type RegisteredClient,
  registrationOf,
  scopesWith,
} from '../clients/registration.ts';
import type { ScopeMatch } from '../clients/scope-match.ts';
import { grantIdOf, sidOf } from '../flow/flow-id.ts';
import type { ConsentDecision, FlowState, LoginDecision } from '../flow/flow-state.ts';
import { type KeptRequest, keptRequestOf } from '../flow/kept-request.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { grantKey } from '../tokens/token-value.ts';

/** A flow whose person has decided everything: what a code is made of. */
export interface DecidedFlow extends FlowState {
  readonly login: LoginDecision;
  readonly consent: ConsentDecision;
}

export const isDecided = (state: FlowState): state is DecidedFlow =>
  state.login !== undefined && state.consent !== undefined;

/** Whether the answer of the authorization endpoint is more than a code: then nobody has to come for the tokens. */
export const issuesAtOnce = ({ response_type }: FlowState['params']): boolean => response_type !== 'code';

/** What a token's `claims` parameter would have been, as oidc-provider derives it from the request. */
const requestedClaims = (params: FlowState['params']): Record<string, unknown> | undefined => {
  const { id_token: idToken, ...others } = params.claims ? (JSON.parse(params.claims) as ClaimsRequest) : {};
  const acr = params.acr_values ? { acr: { values: params.acr_values.split(' ') } } : {};
  const all = { ...others, id_token: { ...idToken, ...acr } };
  return params.claims || params.acr_values ? all : undefined;
};

/** The `claims` parameter (OpenID Connect Core, section 5.5). */
interface ClaimsRequest {
  readonly userinfo?: Readonly<Record<string, unknown>>;
  readonly id_token?: Readonly<Record<string, unknown>>;
}

/** Of the resources that were asked for (RFC 8707) those that the consent app has granted. */
const grantedResources = ({ params, consent }: DecidedFlow): readonly string[] | undefined => {
  const granted = spaceDelimited(params.resource).filter((resource) => consent.audience.includes(resource));
  return granted.length > 0 ? granted : undefined;
};

/** The authorization code that a decided flow stands for, as oidc-provider would have stored it. */
export const codePayload = (state: DecidedFlow, value: string): Record<string, unknown> => ({
  jti: value,
  kind: 'AuthorizationCode',
  exp: state.expiresAt,
  clientId: state.params.client_id,
  accountId: state.login.subject,
  authTime: state.login.authTime,
  acr: state.login.acr,
  amr: state.login.amr,
  claims: requestedClaims(state.params),
  nonce: state.params.nonce,
  scope: state.consent.scopes.join(' '),
  sid: sidOf(state),
  sessionUid: sidOf(state),
  codeChallenge: state.params.code_challenge,
  codeChallengeMethod: state.params.code_challenge_method,
  redirectUri: state.params.redirect_uri,
  dpopJkt: state.params.dpop_jkt,
  grantId: grantIdOf(state),
  resource: grantedResources(state),
});

/** What the `grant` record says. */
export interface GrantPayload extends Given {
  readonly scope: string;
  readonly audience: readonly string[];
  /** Each has access tokens of its own (RFC 8707). */
  readonly resources?: readonly string[];
  readonly sid: string;
  readonly idToken?: Readonly<Record<string, unknown>>;
  readonly accessToken?: Readonly<Record<string, unknown>>;
  /** Absent from grants that an earlier version stored. */
  readonly request?: KeptRequest;
  /** Seconds since 1970: when the user authenticated. Absent from grants that an earlier version stored. */
  readonly authTime?: number;
  readonly acr?: string;
  readonly amr?: readonly string[];
  /** The consent was remembered, for so many seconds or (0) for ever. */
  readonly rememberFor?: number;
  /** A remembered consent covered the request. */
  readonly skip?: true;
  /** The consent app's own notes. */
  readonly context?: unknown;
  readonly authorizationDetails?: readonly AuthorizationDetail[];
  /** What the login app wants pairwise clients to know the person by. */
  readonly forcedSubject?: string;
}

/** The members that the list of consents shows and no token needs. */
const shown = (state: DecidedFlow): Partial<GrantPayload> => {
  const { login, consent, skipConsent } = state;
  return {
    request: keptRequestOf(state),
    acr: login.acr,
    amr: login.amr,
    rememberFor: consent.remember && !skipConsent ? (consent.rememberFor ?? 0) : undefined,
    skip: skipConsent ? true : undefined,
    context: consent.context,
  };
};

/** What the grant of a decided flow says. */
export const grantPayload = (state: DecidedFlow): GrantPayload => {
  const resources = grantedResources(state);
  return {
    scope: state.consent.scopes.join(' '),
    audience: state.consent.audience.filter((one) => !resources?.includes(one)),
    resources,
    sid: sidOf(state),
    handledAt: state.consent.handledAt,
    registration: state.consent.registration,
    authTime: state.login.authTime,
    idToken: state.consent.idToken,
    accessToken: state.consent.accessToken,
    authorizationDetails: state.consent.authorizationDetails,
    forcedSubject: state.login.forcedSubject,
    ...shown(state),
  };
};

/** The grant a decided flow stands for; it is stored when its code is redeemed. */
export const pendingGrant = (state: DecidedFlow, payload: GrantPayload = grantPayload(state)): FoundRecord => ({
  ...grantKey(grantIdOf(state)),
  payload: JSON.stringify(payload),
  expiresAt: null,
  subject: state.login.subject,
  clientId: state.params.client_id ?? '',
  consumedAt: null,
  members: [],
});

/** The part of a grant that its client may have today. */
export interface LiveGrant {
  /** All scopes of the grant, those of its open resources among them. */
  readonly scope: string;
  /** The scopes of a token that is for none of the resources. */
  readonly ownScope: string;
  readonly audience: readonly string[];
  /** The scopes of a token for a resource, by its identifier. */
  readonly resources: ReadonlyMap<string, string>;
}

/** A grant, cut down to what its client is registered for. Nothing when it was given to one that had the id before. */
export const liveGrant = (
  { scope, audience, resources = [], ...given }: GrantPayload,
  client: RegisteredClient,
  matches: ScopeMatch,
): LiveGrant | undefined => {
  if (!isOfRegistration(client, given)) return undefined;
  const registered = registrationOf(client);
  const granted = spaceDelimited(scope);
  const scopeFor = (named: readonly string[]): string => {
    const held = scopesWith(client, named);
    return granted.filter((one) => matches(held, one)).join(' ');
  };
  const ownScope = scopeFor([]);
  const usable = resources.filter((one) => registered.audience.has(one));
  return {
    scope: resources.length === 0 ? ownScope : scopeFor(resources),
    ownScope,
    audience: audience.filter((one) => registered.audience.has(one)),
    // Each by itself: the scopes of an open resource are in no token for another resource of the same grant.
    resources: new Map(usable.map((one) => [one, scopeFor([one])])),
  };
};

/**
 * A grant record as oidc-provider's model wants it, cut down to what the client is registered for today. Nothing when
 * it was given to a client that had the id before.
 */
export const grantModel = (
  record: FoundRecord,
  client: RegisteredClient,
  matches: ScopeMatch,
): Record<string, unknown> | undefined => {
  const payload = JSON.parse(record.payload) as GrantPayload;
  const live = liveGrant(payload, client, matches);
  if (live === undefined) return undefined;
  const { scope: _all, resources: _named, ...details } = payload;
  return {
    jti: record.grantId,
    kind: 'Grant',
    accountId: record.subject,
    clientId: record.clientId,
    openid: { scope: live.ownScope },
    resources: Object.fromEntries(live.resources),
    exp: record.expiresAt === null ? undefined : Math.floor(record.expiresAt.getTime() / 1000),
    details: { ...details, audience: live.audience },
  };
};

/** A grant that tokens hang on. */
export interface HeldGrant {
  readonly record: FoundRecord;
  readonly isStored: boolean;
  /** Milliseconds since 1970: when the last of its tokens expires. */
  readonly expiresAt: number;
  readonly isChanged?: true;
}

/** What has to be written of a grant so that it lives as long as its tokens; nothing when it does. */
export const writeOfGrant = ({ record, isStored, expiresAt, isChanged }: HeldGrant): Write | undefined => {
  const storedUntil = record.expiresAt?.getTime() ?? 0;
  if (expiresAt <= storedUntil && !isChanged) return undefined;
  const { consumedAt, members, ...stored } = record;
  // A grant that was revoked since it was read is not put back.
  return {
    type: 'put',
    record: { ...stored, expiresAt: new Date(Math.max(expiresAt, storedUntil)) },
    onlyIfPresent: isStored,
  };
};
