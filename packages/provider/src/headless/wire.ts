import { isObject } from '@carnet/adapter-contract/kit';
import { z } from 'zod';
import { clientAnswer } from '../clients/client-answer.ts';
import { clientJson, type OAuth2Client } from '../clients/client-record.ts';
import { oidcContextAnswer, oidcContextBody } from '../flow/oidc-context.ts';
import { logoutPath } from '../flow/urls.ts';
import { createWireNames } from '../http/wire-names.ts';
import { tokenClaims } from '../requests/arguments.ts';
import type { BackchannelRequest } from '../requests/backchannel.ts';
import type { PageRequest, Redirect } from '../requests/challenge.ts';
import type { ConsentRequest } from '../requests/consent.ts';
import type { LoginRequest } from '../requests/login.ts';
import type { LogoutRequest } from '../requests/logout.ts';

/** The names and forms of Hydra, so that its SDKs and the login apps written for it work unchanged. */

export const wire = createWireNames({
  names: {
    grantScopes: 'grant_scope',
    grantAudience: 'grant_access_token_audience',
    claims: 'session',
    extendSession: 'extend_session_lifespan',
  },
  nested: { claims: tokenClaims },
});

export const redirectBody = ({ redirectTo }: Redirect) => ({ redirect_to: redirectTo });

/** A request with its client, whose JSON exists already. No member may be added: Hydra's Go SDK refuses unknown ones. */
const withClient = (client: OAuth2Client, request: object): string =>
  `${JSON.stringify(request).slice(0, -1)},"client":${clientJson(client)}}`;

const pageMembers = (request: PageRequest) => ({
  challenge: request.challenge,
  requested_scope: request.requestedScopes,
  requested_access_token_audience: request.requestedAudience,
  oidc_context: oidcContextBody(request.oidcContext),
  request_url: request.requestUrl,
  skip: request.skip,
});

export const loginBody = (request: LoginRequest): string =>
  withClient(request.client, {
    ...pageMembers(request),
    subject: request.subject ?? '',
    session_id: request.sessionId,
  });

/**
 * The context of the login app, with the device of the request if there is one. It is there because Hydra's Go SDK refuses
 * members that it does not know, and takes any content of `context`.
 */
const contextBody = ({ context = {}, device }: Pick<ConsentRequest, 'context' | 'device'>): unknown => {
  if (device === undefined || !isObject(context)) return context;
  const { requestedAt, address, userCode } = device;
  const shown = { requested_at: new Date(requestedAt * 1000).toISOString(), address, user_code: userCode };
  return { ...context, device: shown };
};

export const consentBody = (request: ConsentRequest): string =>
  withClient(request.client, {
    ...pageMembers(request),
    consent_request_id: request.consentRequestId,
    subject: request.subject,
    login_challenge: request.loginRequestId,
    login_session_id: request.sessionId,
    acr: request.acr ?? '',
    amr: request.amr,
    context: contextBody(request),
    requested_authorization_details: request.requestedAuthorizationDetails,
  });

export const logoutBody = (request: LogoutRequest) => ({
  challenge: request.challenge,
  subject: request.subject,
  sid: request.sid,
  request_url: logoutPath,
  rp_initiated: request.rpInitiated,
  requested_at: request.requestedAt,
  expires_at: request.expiresAt,
  client: request.client ?? null,
});

export const backchannelBody = (request: BackchannelRequest) => ({
  challenge: request.challenge,
  client: request.client,
  requested_scope: request.requestedScopes,
  requested_access_token_audience: request.requestedAudience,
  acr_values: request.acrValues,
  login_hint: request.loginHint,
  id_token_hint_claims: request.idTokenHintClaims,
  user_code: request.userCode,
  binding_message: request.bindingMessage,
  expires_at: request.expiresAt,
});

const words = z.array(z.string());
const pageAnswer = {
  challenge: z.string(),
  requested_scope: words,
  requested_access_token_audience: words,
  oidc_context: oidcContextAnswer,
  client: clientAnswer,
  request_url: z.string(),
  skip: z.boolean(),
  subject: z.string(),
};

/** The answers, for the OpenAPI document. The tests compare every answer with it. */
export const answers = {
  redirect: z.strictObject({ redirect_to: z.string() }).meta({ id: 'OAuth2RedirectTo' }),
  login: z.strictObject({ ...pageAnswer, session_id: z.string() }).meta({ id: 'OAuth2LoginRequest' }),
  consent: z
    .strictObject({
      ...pageAnswer,
      consent_request_id: z.string(),
      login_challenge: z
        .string()
        .describe('The id of the login request. It is not the challenge that the login page received.'),
      login_session_id: z.string(),
      acr: z.string(),
      amr: words,
      context: z.unknown(),
      requested_authorization_details: z
        .array(z.looseObject({ type: z.string() }))
        .optional()
        .describe(
          'Present if the request has `authorization_details` (RFC 9396). Grant them with `grant_authorization_details`.',
        ),
    })
    .meta({ id: 'OAuth2ConsentRequest' }),
  logout: z
    .strictObject({
      challenge: z.string(),
      subject: z.string(),
      sid: z.string().optional(),
      request_url: z.string(),
      rp_initiated: z.boolean(),
      requested_at: z.string(),
      expires_at: z.string(),
      client: clientAnswer.nullable(),
    })
    .meta({ id: 'OAuth2LogoutRequest' }),
  backchannel: z
    .strictObject({
      challenge: z.string(),
      client: clientAnswer,
      requested_scope: words,
      requested_access_token_audience: words,
      acr_values: words,
      login_hint: z.string().optional(),
      id_token_hint_claims: z.record(z.string(), z.unknown()).optional(),
      user_code: z
        .string()
        .optional()
        .describe(
          "The user code that the client sent: compare it with the user's code before you answer the notification.",
        ),
      binding_message: z.string().optional(),
      expires_at: z.string(),
    })
    .meta({ id: 'BackchannelAuthenticationRequest' }),
};
