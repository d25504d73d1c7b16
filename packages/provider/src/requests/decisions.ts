import { areWithin, type DetailTypes, detailsIn, problemOfDetails } from '../clients/authorization-details.ts';
import { permissionsOf, scopesWith } from '../clients/client-permissions.ts';
import type { ClientRecord } from '../clients/client-record.ts';
import type { ScopeMatch } from '../clients/scope-match.ts';
import type { Clock } from '../clock.ts';
import type { ConsentDecision, FlowState, LoginDecision, Rejection } from '../flow/flow-state.ts';
import { parseWith, type Refuse } from '../validation.ts';
import { type ConsentArguments, type LoginArguments, type RejectRequest, rejectRequest } from './arguments.ts';

/** Pure functions that turn the arguments of the login and consent pages into the decisions of a flow. */

export const decideLogin = (state: FlowState, decision: LoginArguments, nowSeconds: number): LoginDecision => {
  const { skipLogin, session } = state;
  return {
    subject: decision.subject,
    // A skipped login does not authenticate the user again.
    authTime: skipLogin && session ? session.authTime : Math.min(decision.authTime ?? nowSeconds, nowSeconds),
    acceptedAt: skipLogin || decision.authTime === undefined ? undefined : nowSeconds,
    remember: decision.remember || skipLogin === true,
    rememberFor: decision.rememberFor || undefined,
    extendSession: skipLogin && decision.extendSession ? true : undefined,
    acr: decision.acr || (skipLogin ? session?.acr : undefined),
    amr: decision.amr ?? (skipLogin ? session?.amr : undefined),
    identityProviderSessionId: decision.identityProviderSessionId || undefined,
    forcedSubject: decision.forceSubjectIdentifier || undefined,
    context: decision.context ?? undefined,
  };
};

export interface ConsentRules extends Clock {
  readonly scopeMatch: ScopeMatch;
  readonly detailTypes: DetailTypes;
  readonly refuse: Refuse;
}

/** The arguments of a consent page. The app for CIBA requests has fewer. */
type Granted = Pick<ConsentArguments, 'grantScopes' | 'grantAudience' | 'claims'> & Partial<ConsentArguments>;

/** The granted `authorization_details`: none unless the consent page grants some, and no more than was requested. */
const decideDetails = (
  { metadata }: ClientRecord,
  { params }: FlowState,
  { grantAuthorizationDetails: granted = [] }: Granted,
  { detailTypes, refuse }: ConsentRules,
): ConsentDecision['authorizationDetails'] => {
  if (granted.length === 0) return undefined;
  const member = 'grantAuthorizationDetails';
  const problem = problemOfDetails(granted, detailTypes, metadata.authorization_details_types);
  if (problem !== undefined) throw refuse(member, problem);
  if (!areWithin(granted, detailsIn(params.authorization_details))) {
    throw refuse(member, 'grants more than was requested');
  }
  return granted;
};

/** @throws the error of `refuse` for a scope, an audience or details that the client is not registered for */
export const decideConsent = (
  client: ClientRecord,
  state: FlowState,
  granted: Granted,
  rules: ConsentRules,
): ConsentDecision => {
  const assertRegistered = (member: string, named: readonly string[], isAllowed: (item: string) => boolean) => {
    const beyond = named.find((item) => !isAllowed(item));
    if (beyond !== undefined) throw rules.refuse(member, `names '${beyond}', which the client is not registered for`);
  };
  const [scopes, audience] = [[...new Set(granted.grantScopes)], [...new Set(granted.grantAudience)]];
  // The scopes of an open resource can be granted only together with the resource.
  const held = scopesWith(client, audience);
  assertRegistered('grantScopes', scopes, (scope) => rules.scopeMatch(held, scope));
  assertRegistered('grantAudience', audience, (one) => permissionsOf(client).audience.has(one));
  return {
    scopes,
    audience,
    remember: granted.remember ?? false,
    rememberFor: granted.rememberFor || undefined,
    handledAt: Math.floor(rules.now() / 1000),
    registration: client.registration,
    idToken: granted.claims.idToken,
    accessToken: granted.claims.accessToken,
    context: granted.context ?? undefined,
    authorizationDetails: decideDetails(client, state, granted, rules),
  };
};

/** @throws the error of `refuse` */
export const decideRejection = (page: string, reason: RejectRequest | undefined, refuse: Refuse): Rejection => {
  const { error, errorDescription, errorHint } = parseWith(rejectRequest, reason ?? {}, refuse);
  return {
    error: error || `${page} request denied`,
    description: [errorDescription, errorHint].filter(Boolean).join(' ') || undefined,
  };
};
