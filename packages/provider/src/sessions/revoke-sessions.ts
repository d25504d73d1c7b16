import type { FoundRecord, StorageAdapter } from '@carnet/adapter-contract';
import type { ClientRecord } from '../clients/client-record.ts';
import { findOrUnread } from '../clients/find-or-unread.ts';
import type { Clock } from '../clock.ts';
import { CarnetError } from '../errors.ts';
import type { BrowserPlace } from '../http/browser-place.ts';
import { listPages, type Page, type PageQuery, pageOf } from '../storage/page.ts';
import { assertSubject, type Refuse } from '../validation.ts';
import type { Deliveries } from './deliveries.ts';
import { endSession } from './end-session.ts';
import { readSessionClients } from './session-clients.ts';
import { endedRecord, isLiveSession, readSession, sessionKey } from './session-record.ts';

/** A remembered login of a browser: one entry of "where you are signed in". */
export interface LoginSession {
  readonly sid: string;
  readonly subject: string;
  readonly authenticatedAt: Date;
  readonly expiresAt?: Date;
  readonly acr?: string;
  readonly amr?: readonly string[];
  /** The place of the browser at the time of the login. */
  readonly place: BrowserPlace;
  /** The clients that received a token in this session, or in one that it continues. A deleted client has no name. */
  readonly clients: readonly { readonly clientId: string; readonly clientName?: string }[];
}

const loginSessionOf = async (
  record: FoundRecord,
  { adapter, clients }: Pick<SessionsDependencies, 'adapter' | 'clients'>,
): Promise<LoginSession> => {
  const { sid, authTime, acceptedAt = authTime, acr, amr, place = {} } = readSession(record);
  const joined = await readSessionClients(async (key) => (await adapter.read([key]))[0], sid);
  const clientIds = [...new Set(joined.map(({ clientId }) => clientId))];
  const nameOf = async (id: string) => (await findOrUnread(clients, id))?.metadata.client_name || undefined;
  return {
    sid,
    subject: record.subject ?? '',
    authenticatedAt: new Date(acceptedAt * 1000),
    expiresAt: record.expiresAt ?? undefined,
    acr,
    amr,
    place,
    clients: await Promise.all(clientIds.map(async (clientId) => ({ clientId, clientName: await nameOf(clientId) }))),
  };
};

/** Which sessions to end: a single one, or those that a user has in any browser. */
export type SessionSelection = { readonly sid: string } | { readonly subject: string };

/** The remembered logins of browsers. */
export interface Sessions {
  /**
   * Ends sessions, and notifies their clients by back-channel logout. Tokens stay valid. No session is no error. With a
   * subject, account pages also end the sign-ins of the user that are not remembered (`account/show`, `sessions_ended_at`).
   *
   * @throws CarnetError `invalid_request` for a subject that begins or ends with white space
   * @example
   * await carnet.sessions.revoke({ subject: user.id }); // the user changed their password
   */
  revoke(which: SessionSelection): Promise<void>;
  /**
   * Lists the sessions of a user that have not ended, in any browser. Pages may have fewer entries than `limit`.
   *
   * @throws CarnetError `invalid_request` for a subject that begins or ends with white space
   */
  list(query: SessionQuery): Promise<Page<LoginSession>>;
}

export interface SessionQuery extends PageQuery {
  readonly subject: string;
}

export interface SessionsDependencies extends Clock {
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit' | 'list'>;
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
  readonly deliveries: Pick<Deliveries, 'announce'>;
  readonly refuse: Refuse;
}

const pageSize = 100;

export const createSessions = ({ adapter, clients, deliveries, refuse, now }: SessionsDependencies): Sessions => {
  const end = async (record: FoundRecord | undefined): Promise<void> => {
    if (!isLiveSession(record)) return;
    const { ended, writes } = endSession(record, now());
    // A conflict: another process ended it in the meantime, and notifies its clients.
    if ((await adapter.commit(writes)) === undefined) deliveries.announce(ended);
  };

  const endAllOf = async (subject: string): Promise<void> => {
    // First: a sign-in that is not remembered has no session to end, but its time is compared with this one.
    await adapter.commit([{ type: 'put', record: endedRecord(subject, now()) }]);
    for await (const records of listPages(adapter, { kind: 'session', subject, limit: pageSize })) {
      for (const record of records) await end(record);
    }
  };

  return {
    async revoke({ sid, subject }: { sid?: string; subject?: string }) {
      if (subject !== undefined) assertSubject(subject, refuse);
      if (sid !== undefined) await end((await adapter.read([sessionKey(sid)]))[0]);
      else if (subject !== undefined) await endAllOf(subject);
      else throw new CarnetError('invalid_request', 'Select sessions by subject or by sid.');
    },
    async list({ subject, ...page }) {
      assertSubject(subject, refuse);
      const { records, next } = await adapter.list({ kind: 'session', subject, ...pageOf(page) });
      const alive = records.filter(isLiveSession);
      return { items: await Promise.all(alive.map((record) => loginSessionOf(record, { adapter, clients }))), next };
    },
  };
};
