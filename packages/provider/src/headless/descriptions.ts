import { z } from 'zod';
import { clientAnswer } from '../clients/client-answer.ts';
import { oidcContextAnswer } from '../flow/oidc-context.ts';
import type { RouteDescription } from '../http/types.ts';
import { acceptBackchannelBody, acceptConsentBody, acceptLoginBody, acceptUserCodeBody, rejectBody } from './wire.ts';

const redirect = z.strictObject({ redirect_to: z.string() }).meta({ id: 'OAuth2RedirectTo' });

const common = {
  challenge: z.string(),
  requested_scope: z.array(z.string()),
  requested_access_token_audience: z.array(z.string()),
  oidc_context: oidcContextAnswer,
  client: clientAnswer,
  request_url: z.string(),
  skip: z.boolean(),
  subject: z.string(),
};

const loginRequest = z.strictObject({ ...common, session_id: z.string() }).meta({ id: 'OAuth2LoginRequest' });

const consentRequest = z
  .strictObject({
    ...common,
    consent_request_id: z.string(),
    login_challenge: z
      .string()
      .describe('The id of the login request. It is not the challenge that the login page received.'),
    login_session_id: z.string(),
    acr: z.string(),
    amr: z.array(z.string()),
    context: z.unknown(),
    requested_authorization_details: z
      .array(z.looseObject({ type: z.string() }))
      .optional()
      .describe(
        'Present if the request has `authorization_details` (RFC 9396). Grant them with `grant_authorization_details`.',
      ),
  })
  .meta({ id: 'OAuth2ConsentRequest' });

const logoutRequest = z
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
  .meta({ id: 'OAuth2LogoutRequest' });

const backchannelRequest = z
  .strictObject({
    challenge: z.string(),
    client: clientAnswer,
    requested_scope: z.array(z.string()),
    requested_access_token_audience: z.array(z.string()),
    acr_values: z.array(z.string()),
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
  .meta({ id: 'BackchannelAuthenticationRequest' });

const aboutBackchannel = (operationId: string, summary: string, body?: z.ZodType): RouteDescription => ({
  operationId,
  summary,
  query: { backchannel_challenge: 'The challenge that the notification contained.' },
  required: ['backchannel_challenge'],
  ...(body && { body: { schema: body } }),
  answers: body === undefined ? { 200: backchannelRequest } : { 204: null },
});

type Described = Pick<RouteDescription, 'operationId' | 'summary'> & {
  readonly body?: z.ZodType;
  readonly answer: z.ZodType | null;
};

const about = (
  what: 'device' | 'login' | 'consent' | 'logout',
  { body, answer, ...rest }: Described,
): RouteDescription => ({
  ...rest,
  query: {
    [`${what}_challenge`]: `The challenge that the ${what} page received.`,
    challenge: `An older name of ${what}_challenge.`,
  },
  ...(body && { body: { schema: body } }),
  answers: answer === null ? { 204: null, 410: redirect } : { 200: answer, 410: redirect },
});

/** The OpenAPI descriptions of the headless API. */
export const headlessDescriptions = {
  getLogin: about('login', {
    operationId: 'getOAuth2LoginRequest',
    summary: 'Get a login request: which client asks for a login, and what it asks for.',
    answer: loginRequest,
  }),
  acceptLogin: about('login', {
    operationId: 'acceptOAuth2LoginRequest',
    summary: 'Accept a login request. Redirect the browser to redirect_to.',
    body: acceptLoginBody,
    answer: redirect,
  }),
  rejectLogin: about('login', {
    operationId: 'rejectOAuth2LoginRequest',
    summary: 'Reject a login request. Redirect the browser to redirect_to, which returns the error to the client.',
    body: rejectBody,
    answer: redirect,
  }),
  getConsent: about('consent', {
    operationId: 'getOAuth2ConsentRequest',
    summary: 'Get a consent request: which client asks, and for which scopes and audience.',
    answer: consentRequest,
  }),
  acceptConsent: about('consent', {
    operationId: 'acceptOAuth2ConsentRequest',
    summary:
      'Accept a consent request with the scopes and the audience that the user granted. Redirect the browser to redirect_to.',
    body: acceptConsentBody,
    answer: redirect,
  }),
  rejectConsent: about('consent', {
    operationId: 'rejectOAuth2ConsentRequest',
    summary: 'Reject a consent request. Redirect the browser to redirect_to, which returns the error to the client.',
    body: rejectBody,
    answer: redirect,
  }),
  getLogout: about('logout', {
    operationId: 'getOAuth2LogoutRequest',
    summary: 'Get a logout request: which session it ends, and which client asks.',
    answer: logoutRequest,
  }),
  acceptLogout: about('logout', {
    operationId: 'acceptOAuth2LogoutRequest',
    summary: 'Accept a logout request. Redirect the browser to redirect_to, which ends the session.',
    answer: redirect,
  }),
  getBackchannel: aboutBackchannel(
    'getBackchannelAuthenticationRequest',
    'Get a backchannel authentication request (CIBA): which client asks, and for what.',
  ),
  acceptBackchannel: aboutBackchannel(
    'acceptBackchannelAuthenticationRequest',
    'Accept a backchannel authentication request with the user and the granted scopes.',
    acceptBackchannelBody,
  ),
  rejectBackchannel: aboutBackchannel(
    'rejectBackchannelAuthenticationRequest',
    'Reject a backchannel authentication request. The client receives the error.',
    rejectBody,
  ),
  acceptUserCode: about('device', {
    operationId: 'acceptUserCodeRequest',
    summary: 'Accept the user code of a device. Redirect the browser to redirect_to.',
    body: acceptUserCodeBody,
    answer: redirect,
  }),
  rejectLogout: about('logout', {
    operationId: 'rejectOAuth2LogoutRequest',
    summary: 'Reject a logout request. The session stays.',
    answer: null,
  }),
} as const satisfies Record<string, RouteDescription>;
