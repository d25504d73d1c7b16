import { z } from 'zod';
import { type AdminApiOptions, parsed, refused, requestAdmin } from './admin-request.ts';

const client = z.object({ client_id: z.string(), client_name: z.string().nullish() });

const loginSessions = z.array(
  z.object({
    sid: z.string(),
    authenticated_at: z.string(),
    acr: z.string().nullish(),
    amr: z.array(z.string()).nullish(),
    clients: z.array(client).nullish(),
    place: z.object({ address: z.string().nullish(), user_agent: z.string().nullish() }).nullish(),
  }),
);

const consentSessions = z.array(
  z.object({
    grant_scope: z.array(z.string()),
    handled_at: z.string(),
    consent_request: z.object({ client }),
  }),
);

/** A browser in which the user is signed in. */
export type LoginSession = z.infer<typeof loginSessions>[number];

/** A client that has access to the account. */
export interface ConnectedClient {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** The first time that the user allowed it. */
  readonly since: Date;
}

/**
 * Sessions and consents of a user.
 *
 * @throws Problem `api_unavailable`, `api_refused`
 */
export interface SessionsApi {
  /** Undefined if the provider has no such list, as Ory Hydra. */
  sessions(subject: string): Promise<readonly LoginSession[] | undefined>;
  endSession(sid: string): Promise<void>;
  endSessions(subject: string): Promise<void>;
  clients(subject: string): Promise<readonly ConnectedClient[]>;
  /** Revokes the consents for a client, and its tokens. */
  revoke(subject: string, clientId: string): Promise<void>;
  /** Registers a client, or replaces it. */
  putClient(client: { readonly client_id: string } & Readonly<Record<string, unknown>>): Promise<void>;
}

const sessionPath = '/oauth2/auth/sessions/login';
const consentPath = '/oauth2/auth/sessions/consent';

const byClient = (consents: z.infer<typeof consentSessions>): readonly ConnectedClient[] => {
  const found = new Map<string, ConnectedClient>();
  for (const { grant_scope, handled_at, consent_request } of consents) {
    const { client_id: id, client_name } = consent_request.client;
    const known = found.get(id);
    const handledAt = new Date(handled_at);
    found.set(id, {
      id,
      name: client_name || id,
      scopes: [...new Set([...(known?.scopes ?? []), ...grant_scope])],
      since: known !== undefined && known.since < handledAt ? known.since : handledAt,
    });
  }
  return [...found.values()];
};

const done = async (answer: Promise<Response>): Promise<void> => {
  const response = await answer;
  // 404: it has ended already.
  if (!response.ok && response.status !== 404) throw refused(response);
};

export const createSessionsApi = (options: AdminApiOptions): SessionsApi => ({
  sessions: async (subject) => {
    const query = { subject, page_size: '500' };
    const response = await requestAdmin(options, { method: 'GET', path: sessionPath, query });
    return [404, 405].includes(response.status) ? undefined : parsed(response, loginSessions);
  },
  endSession: (sid) => done(requestAdmin(options, { method: 'DELETE', path: sessionPath, query: { sid } })),
  endSessions: (subject) => done(requestAdmin(options, { method: 'DELETE', path: sessionPath, query: { subject } })),
  clients: async (subject) => {
    const query = { subject, page_size: '500' };
    const response = await requestAdmin(options, { method: 'GET', path: consentPath, query });
    return byClient(await parsed(response, consentSessions));
  },
  revoke: (subject, client) =>
    done(requestAdmin(options, { method: 'DELETE', path: consentPath, query: { subject, client } })),
  putClient: async (metadata) => {
    const path = `/clients/${encodeURIComponent(metadata.client_id)}`;
    // Asked first: to replace a client that does not exist would be a refusal in the audit log of every new installation.
    const isNew = (await requestAdmin(options, { method: 'GET', path })).status === 404;
    const request = isNew ? ({ method: 'POST', path: '/clients' } as const) : ({ method: 'PUT', path } as const);
    const response = await requestAdmin(options, { ...request, json: metadata });
    // 409: another process has registered it in the meantime. 403: the admin token has no right to register clients, and the
    // operator has configured this one.
    const isThere = response.status === (isNew ? 409 : 403);
    if (!response.ok && !isThere) throw refused(response);
  },
});
