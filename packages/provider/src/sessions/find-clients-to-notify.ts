import type { FoundRecord, StorageAdapter } from '@carnet/adapter-contract';
import { documentProblemIn } from '../clients/find-or-unread.ts';
import type { Clock } from '../clock.ts';
import type { NotifyDependencies } from './attempts.ts';
import type { SessionEnded } from './delivery-record.ts';
import { readSessionClients, type SessionClient } from './session-clients.ts';
import { isLiveSession, sessionKey } from './session-record.ts';

export interface FindClientsDependencies extends Pick<NotifyDependencies, 'clients'>, Clock {
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
}

interface ClientsToNotify {
  /** The session before it ended; undefined when its record has expired. */
  readonly session: FoundRecord | undefined;
  readonly clients: readonly SessionClient[];
  /** Where the next page starts; absent on the last one. */
  readonly after?: string;
}

/** Clients of one session that one commit may hold: a store carries out a limited number of writes in time. */
const clientsPerCommit = 100;

/** Clients are looked up in the order of these names. */
const nameOf = ({ sid, clientId }: SessionClient): string => `${sid} ${clientId}`;

/** Whether to notify a client. If its metadata document can't be fetched now, the notification is tried again later. */
const isSubscribed = async (clients: NotifyDependencies['clients'], id: string): Promise<boolean> => {
  try {
    return (await clients.find(id))?.metadata.backchannel_logout_uri !== undefined;
  } catch (error) {
    const problem = documentProblemIn(error);
    if (problem === undefined) throw error;
    return problem === 'unavailable';
  }
};

/** The next clients of an ended session that subscribe to back-channel logout. No client can join an ended session. */
export const findClientsToNotify = async (
  { adapter, clients, now }: FindClientsDependencies,
  { sid, clientIds, after = '' }: SessionEnded,
): Promise<ClientsToNotify> => {
  const key = sessionKey(sid);
  const [session] = await adapter.read([key]);
  // The process that announced the end of this session stopped before it ended the session: end it here.
  if (isLiveSession(session)) await adapter.commit([{ type: 'consume', key, at: new Date(now()) }]);
  const found = await readSessionClients(async (each) => (await adapter.read([each]))[0], sid);
  const all = [...clientIds.map((clientId) => ({ sid, clientId })), ...found];
  const distinct = new Map(all.map((each) => [nameOf(each), each]));
  const left = [...distinct].filter(([name]) => name > after).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const page = left.slice(0, clientsPerCommit);
  const subscribed = await Promise.all(page.map(([, { clientId }]) => isSubscribed(clients, clientId)));
  return {
    session,
    clients: page.flatMap(([, client], index) => (subscribed[index] ? [client] : [])),
    after: left.length > page.length ? page.at(-1)?.[0] : undefined,
  };
};
