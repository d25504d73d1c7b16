import type { z } from 'zod';
import { areWithin, type DetailTypes, detailsIn, problemOfDetails } from '../clients/authorization-details.ts';
import type { ClientRecord } from '../clients/client-record.ts';
import { type RegisteredClient, registrationOf, scopesWith } from '../clients/registration.ts';
import type { ScopeMatch } from '../clients/scope-match.ts';
import { CarnetError } from '../errors.ts';
import type { ConsentDecision, FlowState, LoginDecision, Rejection } from '../flow/flow-state.ts';
import type { acceptConsentBody, acceptLoginBody, rejectBody } from './wire.ts';

/** What the person, by way of the login and consent apps, has decided: one function a decision, no storage. */

export const decideLogin = (
  state: FlowState,
  body: z.output<typeof acceptLoginBody>,
  nowSeconds: number,
): LoginDecision => {
  if (body.subject === '') throw new CarnetError('invalid_request', "Field 'subject' must not be empty.");
  const { skipLogin, session } = state;
  return {
    subject: body.subject,
    // Who was not asked did not authenticate now.
    authTime: skipLogin && session ? session.authTime : nowSeconds,
    remember: body.remember || skipLogin === true,
    rememberFor: body.remember_for > 0 ? body.remember_for : undefined,
    extendSession: skipLogin && body.extend_session_lifespan ? true : undefined,
    acr: body.acr || (skipLogin ? session?.acr : undefined),
    amr: body.amr ?? (skipLogin ? session?.amr : undefined),
    identityProviderSessionId: body.identity_provider_session_id || undefined,
    forcedSubject: body.force_subject_identifier || undefined,
    context: body.context ?? undefined,
  };
};

const assertWithin = (field: string, granted: readonly string[], isAllowed: (item: string) => boolean): void => {
  const beyond = granted.find((item) => !isAllowed(item));
  if (beyond === undefined) return;
  throw new CarnetError('invalid_request', `Field '${field}': the client is not registered for '${beyond}'.`);
};

export const decideConsent = (
  { client, scopeMatch }: { readonly client: RegisteredClient; readonly scopeMatch: ScopeMatch },
  body: z.output<typeof acceptConsentBody>,
  nowSeconds: number,
): ConsentDecision => {
  const scopes = [...new Set(body.grant_scope ?? [])];
  const audience = [...new Set(body.grant_access_token_audience ?? [])];
  const registered = registrationOf(client);
  // The scopes of an open resource can be granted only together with the resource.
  const held = scopesWith(client, audience);
  assertWithin('grant_scope', scopes, (scope) => scopeMatch(held, scope));
  assertWithin('grant_access_token_audience', audience, (one) => registered.audience.has(one));
  return {
    scopes,
    audience,
    remember: body.remember,
    rememberFor: body.remember_for > 0 ? body.remember_for : undefined,
    handledAt: nowSeconds,
    registration: client.registration,
    idToken: body.session?.id_token ?? undefined,
    accessToken: body.session?.access_token ?? undefined,
    context: body.context ?? undefined,
  };
};

/** What is granted of `authorization_details`: nothing unless the consent app says so, and no more than was asked. */
export const decideDetails = (
  { client, types }: { readonly client: Pick<ClientRecord, 'metadata'>; readonly types: DetailTypes },
  { params }: FlowState,
  { grant_authorization_details: granted }: z.output<typeof acceptConsentBody>,
): Pick<ConsentDecision, 'authorizationDetails'> => {
  if (!granted || granted.length === 0) return {};
  const problem = problemOfDetails(granted, types, client.metadata.authorization_details_types);
  if (problem !== undefined)
    throw new CarnetError('invalid_request', `Field 'grant_authorization_details' ${problem}.`);
  if (!areWithin(granted, detailsIn(params.authorization_details))) {
    throw new CarnetError('invalid_request', "Field 'grant_authorization_details' grants more than was requested.");
  }
  return { authorizationDetails: granted };
};

export const decideRejection = (what: 'login' | 'consent', body: z.output<typeof rejectBody>): Rejection => ({
  error: body.error || `${what} request denied`,
  description: [body.error_description, body.error_hint].filter(Boolean).join(' ') || undefined,
});
