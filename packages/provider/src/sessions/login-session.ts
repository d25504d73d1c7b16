import type { FoundRecord, StorageAdapter } from '@carnet/adapter-contract';
import type { ClientRecord } from '../clients/client-record.ts';
import { findOrUnread } from '../clients/find-or-unread.ts';
import type { BrowserPlace } from '../http/browser-place.ts';
import { readSessionClients } from './session-clients.ts';
import type { SessionPayload } from './session-record.ts';

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

export interface LoginSessionDependencies {
  readonly adapter: Pick<StorageAdapter, 'read'>;
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
}

export const loginSessionOf = async (
  record: FoundRecord,
  { adapter, clients }: LoginSessionDependencies,
): Promise<LoginSession> => {
  const { sid, authTime, acr, amr, place = {} } = JSON.parse(record.payload) as SessionPayload;
  const joined = await readSessionClients(async (key) => (await adapter.read([key]))[0], sid);
  const clientIds = [...new Set(joined.map(({ clientId }) => clientId))];
  const nameOf = async (id: string) => (await findOrUnread(clients, id))?.metadata.client_name || undefined;
  return {
    sid,
    subject: record.subject ?? '',
    authenticatedAt: new Date(authTime * 1000),
    expiresAt: record.expiresAt ?? undefined,
    acr,
    amr,
    place,
    clients: await Promise.all(clientIds.map(async (clientId) => ({ clientId, clientName: await nameOf(clientId) }))),
  };
};
