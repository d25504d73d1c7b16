import { z } from 'zod';
import { clientAnswer } from '../clients/client-answer.ts';
import type { ConsentSession, Consents } from '../consents/consent-session.ts';
import { CarnetError } from '../errors.ts';
import { oidcContext, oidcContextAnswer, oidcContextBody } from '../flow/oidc-context.ts';
import { restartUrl } from '../flow/urls.ts';
import type { HttpRequest, HttpResponse, Route } from '../http/types.ts';
import type { SessionRevocation } from '../sessions/revoke-sessions.ts';
import { hasOuterSpace, outerSpaceProblem } from '../subject.ts';
import { linkHeader, type PageTokens, parsePageQuery } from './page-query.ts';

export interface SessionDependencies {
  readonly issuer: string;
  readonly sessions: SessionRevocation;
  readonly consents: Consents;
  readonly pageTokens: PageTokens;
}

const consentPath = '/admin/oauth2/auth/sessions/consent';
const loginPath = '/admin/oauth2/auth/sessions/login';

/** A parameter that is given at most once; an empty one counts as not given. */
const parameter = (query: URLSearchParams, name: string): string | undefined => {
  const values = query.getAll(name);
  if (values.length > 1) throw new CarnetError('invalid_request', `The parameter ${name} is given more than once.`);
  return values[0] || undefined;
};

/** @throws CarnetError `invalid_request` for a subject that no user can have: a revocation by that subject would have no effect and answer 204 */
const subjectIn = (query: URLSearchParams): string | undefined => {
  const subject = parameter(query, 'subject');
  if (subject !== undefined && hasOuterSpace(subject)) {
    throw new CarnetError('invalid_request', `Query parameter 'subject' ${outerSpaceProblem}.`);
  }
  return subject;
};

/** The members of `consent_request` that come from the authorization request. Empty if an earlier version stored it. */
const askedIn = (issuer: string, { request }: ConsentSession): object =>
  request === undefined
    ? { oidc_context: {}, request_url: '', login_challenge: '', context: {} }
    : {
        oidc_context: oidcContextBody(oidcContext(request.params, request.hintClaims)),
        request_url: restartUrl(issuer, request),
        login_challenge: request.loginChallenge,
        context: request.context ?? {},
      };

/** The list item as in Hydra. */
const consentSession = (issuer: string, consent: ConsentSession): object => ({
  consent_request_id: consent.consentRequestId,
  grant_scope: consent.scopes,
  grant_access_token_audience: consent.audience,
  session: { access_token: consent.accessToken ?? {}, id_token: consent.idToken ?? {} },
  remember: consent.rememberFor !== undefined,
  remember_for: consent.rememberFor ?? 0,
  handled_at: new Date(consent.handledAt * 1000).toISOString(),
  context: consent.context ?? {},
  consent_request: {
    challenge: consent.consentRequestId,
    consent_request_id: consent.consentRequestId,
    requested_scope: consent.requestedScopes,
    requested_access_token_audience: consent.requestedAudience,
    skip: consent.skip,
    subject: consent.subject,
    client: consent.client.metadata,
    login_session_id: consent.sid,
    acr: consent.acr ?? '',
    amr: consent.amr ?? [],
    ...askedIn(issuer, consent),
  },
});

const listConsents = async ({ query }: HttpRequest, deps: SessionDependencies): Promise<HttpResponse> => {
  const subject = subjectIn(query);
  if (subject === undefined) {
    throw new CarnetError('invalid_request', "Query parameter 'subject' is not defined but should have been.");
  }
  const sid = parameter(query, 'login_session_id');
  const listing = { path: consentPath, filters: { subject, login_session_id: sid ?? '' } };
  const { pageSize, after } = parsePageQuery(query, deps.pageTokens, listing);
  const { sessions, next } = await deps.consents.list({ subject, sid, limit: pageSize, after });
  const link = linkHeader(deps.pageTokens, { ...listing, pageSize, next });
  return { status: 200, headers: { Link: link }, body: sessions.map((each) => consentSession(deps.issuer, each)) };
};

const revokeConsents = async ({ query }: HttpRequest, { consents }: SessionDependencies): Promise<HttpResponse> => {
  const subject = subjectIn(query);
  const [client, request] = ['client', 'consent_request_id'].map((name) => parameter(query, name));
  const all = parameter(query, 'all') === 'true';
  if (request !== undefined && subject === undefined && client === undefined) await consents.revokeRequest(request);
  else if (request === undefined && subject !== undefined && (client === undefined) === all) {
    await consents.revoke(subject, client);
  } else throw new CarnetError('invalid_request', 'Invalid combination of query parameters.');
  return { status: 204 };
};

const revokeLogins = async ({ query }: HttpRequest, { sessions }: SessionDependencies): Promise<HttpResponse> => {
  const [sid, subject] = [parameter(query, 'sid'), subjectIn(query)];
  if (sid !== undefined) await sessions.bySid(sid);
  else if (subject !== undefined) await sessions.bySubject(subject);
  else throw new CarnetError('invalid_request', "Either 'subject' or 'sid' query parameters need to be defined.");
  return { status: 204 };
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

/** Sessions and consents of the admin API. */
export const sessionRoutes = (deps: SessionDependencies): readonly Route[] => [
  {
    method: 'GET',
    path: consentPath,
    description: {
      operationId: 'listOAuth2ConsentSessions',
      summary: 'List the consents of a user: effective grants, and remembered consents.',
      query: {
        subject: 'The subject of the user.',
        login_session_id: 'List only the consents of this session (`sid`). Pages may have fewer entries.',
        page_size: 'The maximum number of entries on a page, 1 to 500. Default 100.',
        page_token: 'The value from the `Link` header of the previous page.',
      },
      required: ['subject'],
      answers: { 200: z.array(consentSessionAnswer) },
    },
    handle: (request) => listConsents(request, deps),
  },
  {
    method: 'DELETE',
    path: consentPath,
    audit: 'consent.revoke',
    description: {
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
    },
    handle: (request) => revokeConsents(request, deps),
  },
  {
    method: 'DELETE',
    path: loginPath,
    audit: 'session.revoke',
    description: {
      operationId: 'revokeOAuth2LoginSessions',
      summary:
        'End one session, or all sessions of a user. Clients are notified by back-channel logout. Tokens stay valid.',
      query: { subject: 'The subject of the user.', sid: 'The session. If it is present, subject is ignored.' },
      answers: { 204: null },
    },
    handle: (request) => revokeLogins(request, deps),
  },
];
