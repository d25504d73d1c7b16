import { z } from 'zod';
import type { Api } from '../api.ts';
import { clientAnswer } from '../clients/client-answer.ts';
import type { Consent, ConsentSelection } from '../consents/consent.ts';
import { CarnetError } from '../errors.ts';
import { oidcContextAnswer, oidcContextBody } from '../flow/oidc-context.ts';
import type { Route } from '../http/types.ts';
import type { LoginSession, SessionSelection } from '../sessions/revoke-sessions.ts';
import type { PageQuery } from '../storage/page.ts';
import { answerDone, answerPage, type Paged, pageParameters, parameter } from './answers.ts';

const consentPath = '/admin/oauth2/auth/sessions/consent';
const loginPath = '/admin/oauth2/auth/sessions/login';

/** The item of the list, as in Hydra. Members of the request are empty if an earlier version stored the consent. */
const consentBody = (consent: Consent): object => ({
  consent_request_id: consent.consentRequestId,
  grant_scope: consent.scopes,
  grant_access_token_audience: consent.audience,
  session: { access_token: consent.claims.accessToken ?? {}, id_token: consent.claims.idToken ?? {} },
  remember: consent.rememberFor !== undefined,
  remember_for: consent.rememberFor ?? 0,
  handled_at: consent.handledAt,
  context: consent.context ?? {},
  consent_request: {
    challenge: consent.consentRequestId,
    consent_request_id: consent.consentRequestId,
    requested_scope: consent.requestedScopes,
    requested_access_token_audience: consent.requestedAudience,
    skip: consent.skip,
    subject: consent.subject,
    client: consent.client,
    login_session_id: consent.sessionId,
    acr: consent.acr ?? '',
    amr: consent.amr ?? [],
    oidc_context: oidcContextBody(consent.request?.oidcContext ?? {}),
    request_url: consent.request?.requestUrl ?? '',
    login_challenge: consent.request?.loginRequestId ?? '',
    context: consent.request?.context ?? {},
  },
});

const loginSessionBody = (session: LoginSession): object => ({
  sid: session.sid,
  subject: session.subject,
  authenticated_at: session.authenticatedAt.toISOString(),
  expires_at: session.expiresAt?.toISOString(),
  acr: session.acr,
  amr: session.amr,
  place: { address: session.place.address, user_agent: session.place.userAgent },
  clients: session.clients.map(({ clientId, clientName }) => ({ client_id: clientId, client_name: clientName })),
});

const subjectIn = (query: URLSearchParams): string => {
  const subject = parameter(query, 'subject');
  if (subject !== undefined) return subject;
  throw new CarnetError('invalid_request', "Query parameter 'subject' is not defined but should have been.");
};

const claims = z.record(z.string(), z.unknown());

const consentSessionAnswer = z
  .strictObject({
    consent_request_id: z.string(),
    grant_scope: z.array(z.string()),
    grant_access_token_audience: z.array(z.string()),
    session: z.strictObject({ access_token: claims, id_token: claims }),
    remember: z.boolean(),
    remember_for: z.int().describe('Seconds; 0: no expiry.'),
    handled_at: z.string(),
    context: z.unknown(),
    consent_request: z.strictObject({
      challenge: z.string(),
      consent_request_id: z.string(),
      requested_scope: z.array(z.string()),
      requested_access_token_audience: z.array(z.string()),
      skip: z.boolean(),
      subject: z.string(),
      oidc_context: oidcContextAnswer,
      client: clientAnswer,
      request_url: z.string().describe('Without `id_token_hint`. Empty if an earlier version stored the consent.'),
      login_challenge: z.string().describe('The id of the login request.'),
      login_session_id: z.string(),
      acr: z.string(),
      amr: z.array(z.string()),
      context: z.unknown(),
    }),
  })
  .meta({ id: 'OAuth2ConsentSession' });

const loginSessionAnswer = z
  .strictObject({
    sid: z.string(),
    subject: z.string(),
    authenticated_at: z.iso.datetime(),
    expires_at: z.iso.datetime().optional(),
    acr: z.string().optional(),
    amr: z.array(z.string()).optional(),
    place: z
      .strictObject({ address: z.string().optional(), user_agent: z.string().optional() })
      .describe('The IP address and the `User-Agent` of the browser at the time of the login.'),
    clients: z
      .array(z.strictObject({ client_id: z.string(), client_name: z.string().optional() }))
      .describe('The clients that received a token in the session.'),
  })
  .meta({ id: 'LoginSession' });

const consentSessionRoutes = ({ consents, pageTokens }: Pick<Api, 'consents'> & Paged): readonly Route[] => [
  {
    method: 'GET',
    path: consentPath,
    operationId: 'listOAuth2ConsentSessions',
    summary: 'List the consents of a user: effective grants, and remembered consents.',
    query: {
      subject: 'The subject of the user.',
      login_session_id: 'List only the consents of this session (`sid`). Pages may have fewer entries.',
      ...pageParameters('entries'),
    },
    required: ['subject'],
    answers: { 200: z.array(consentSessionAnswer) },
    handle: (request) => {
      const [subject, sid] = [subjectIn(request.query), parameter(request.query, 'login_session_id')];
      const listing = { path: consentPath, filters: { subject, login_session_id: sid ?? '' }, pageTokens };
      const list = (page: PageQuery) => consents.list({ subject, sessionId: sid, ...page });
      return answerPage(request, listing, list, (items) => items.map(consentBody));
    },
  },
  {
    method: 'DELETE',
    path: consentPath,
    audit: 'consent.revoke',
    operationId: 'revokeOAuth2ConsentSessions',
    summary:
      'Revoke consents of a user and their tokens: those of one client, those of all clients, or a single consent.',
    query: {
      subject: 'The subject of the user.',
      client: 'Revoke only the consents given to this client.',
      all: '`true`: revoke the consents given to all clients.',
      consent_request_id: 'Revoke only this consent.',
    },
    answers: { 204: null },
    handle: ({ query }) => {
      const [subject, clientId, consentRequestId, all] = ['subject', 'client', 'consent_request_id', 'all'].map(
        (name) => parameter(query, name),
      );
      // `revoke` refuses every combination but three.
      const which = { subject, clientId, consentRequestId, all: all === 'true' } as ConsentSelection;
      return answerDone(consents.revoke(which));
    },
  },
];

const loginSessionRoutes = ({ sessions, pageTokens }: Pick<Api, 'sessions'> & Paged): readonly Route[] => [
  {
    method: 'GET',
    path: loginPath,
    operationId: 'listLoginSessions',
    summary: 'List the sessions of a user: the browsers in which the user is signed in.',
    query: { subject: 'The subject of the user.', ...pageParameters('entries') },
    required: ['subject'],
    answers: { 200: z.array(loginSessionAnswer) },
    handle: (request) => {
      const subject = subjectIn(request.query);
      const listing = { path: loginPath, filters: { subject }, pageTokens };
      const list = (page: PageQuery) => sessions.list({ subject, ...page });
      return answerPage(request, listing, list, (items) => items.map(loginSessionBody));
    },
  },
  {
    method: 'DELETE',
    path: loginPath,
    audit: 'session.revoke',
    operationId: 'revokeOAuth2LoginSessions',
    summary:
      'End one session, or all sessions of a user. Clients are notified by back-channel logout. Tokens stay valid.',
    query: { subject: 'The subject of the user.', sid: 'The session. If it is present, subject is ignored.' },
    answers: { 204: null },
    handle: ({ query }) => {
      const [subject, sid] = ['subject', 'sid'].map((name) => parameter(query, name));
      return answerDone(sessions.revoke({ subject, sid } as SessionSelection));
    },
  },
];

/** Sessions and consents of the admin API. */
export const sessionRoutes = (deps: Pick<Api, 'consents' | 'sessions'> & Paged): readonly Route[] => [
  ...consentSessionRoutes(deps),
  ...loginSessionRoutes(deps),
];
