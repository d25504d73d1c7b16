import { type Api, CarnetError } from '@carnet/provider';
import { bodyOf, type Call, dateIn, done, pageOf, pageParameters } from './call.ts';

type Session = Awaited<ReturnType<Api['sessions']['list']>>['items'][number];
type Consent = Awaited<ReturnType<Api['consents']['list']>>['items'][number];

interface WireSession extends Pick<Session, 'sid' | 'subject' | 'acr' | 'amr'> {
  readonly authenticated_at: string;
  readonly expires_at?: string;
  readonly place: { readonly address?: string; readonly user_agent?: string };
  readonly clients: readonly { readonly client_id: string; readonly client_name?: string }[];
}

const sessionOf = ({ sid, subject, acr, amr, authenticated_at, expires_at, place, clients }: WireSession): Session => ({
  ...{ sid, subject, acr, amr },
  authenticatedAt: new Date(authenticated_at),
  expiresAt: dateIn(expires_at),
  place: { address: place.address, userAgent: place.user_agent },
  clients: clients.map(({ client_id, client_name }) => ({ clientId: client_id, clientName: client_name })),
});

interface WireConsent {
  readonly consent_request_id: string;
  readonly grant_scope: readonly string[];
  readonly grant_access_token_audience: readonly string[];
  readonly session: {
    readonly access_token: Readonly<Record<string, unknown>>;
    readonly id_token: Readonly<Record<string, unknown>>;
  };
  readonly remember: boolean;
  readonly remember_for: number;
  readonly handled_at: string;
  readonly context: unknown;
  readonly consent_request: {
    readonly requested_scope: readonly string[];
    readonly requested_access_token_audience: readonly string[];
    readonly skip: boolean;
    readonly subject: string;
    readonly client: Consent['client'];
    readonly login_session_id: string;
    readonly acr: string;
    readonly amr: readonly string[];
  };
}

/** Without `request`: the console does not show it. */
const consentOf = ({ consent_request: asked, session, ...consent }: WireConsent): Consent => ({
  consentRequestId: consent.consent_request_id,
  client: asked.client,
  subject: asked.subject,
  sessionId: asked.login_session_id,
  scopes: consent.grant_scope,
  audience: consent.grant_access_token_audience,
  requestedScopes: asked.requested_scope,
  requestedAudience: asked.requested_access_token_audience,
  handledAt: new Date(consent.handled_at),
  skip: asked.skip,
  ...(consent.remember && { rememberFor: consent.remember_for }),
  acr: asked.acr || undefined,
  amr: asked.amr,
  context: consent.context,
  claims: { idToken: session.id_token, accessToken: session.access_token },
});

const loginPath = '/oauth2/auth/sessions/login';
const consentPath = '/oauth2/auth/sessions/consent';

export const sessionsOf = (call: Call): Api['sessions'] => ({
  list: ({ subject, ...page }) =>
    pageOf(call({ method: 'GET', path: loginPath, query: { subject, ...pageParameters(page) } }), sessionOf),
  revoke: (which) => done(call({ method: 'DELETE', path: loginPath, query: { ...which } })),
});

export const consentsOf = (call: Call): Api['consents'] => ({
  list({ subject, sessionId, ...page }) {
    const query = { subject, login_session_id: sessionId, ...pageParameters(page) };
    return pageOf(call({ method: 'GET', path: consentPath, query }), consentOf);
  },
  revoke(which) {
    const { subject, clientId, consentRequestId, all } = {
      subject: undefined,
      clientId: undefined,
      consentRequestId: undefined,
      all: false,
      ...which,
    };
    const query = { subject, client: clientId, consent_request_id: consentRequestId, all: all ? 'true' : undefined };
    return done(call({ method: 'DELETE', path: consentPath, query }));
  },
});

export const tokensOf = (call: Call): Api['tokens'] => ({
  introspect: (token, { scope } = {}) => {
    const form = { token, ...(scope !== undefined && { scope }) };
    return bodyOf(call({ method: 'POST', path: '/oauth2/introspect', form }));
  },
  revokeAccessTokens: (clientId) =>
    done(call({ method: 'DELETE', path: '/oauth2/tokens', query: { client_id: clientId } })),
  async revoke() {
    throw new CarnetError(
      'not_supported',
      'The admin API revokes the tokens of a client or of a user, and no single one.',
    );
  },
});
