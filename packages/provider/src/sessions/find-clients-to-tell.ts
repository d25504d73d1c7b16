import type { FoundRecord } from '@carnet/adapter-contract';
import { documentProblemIn } from '../clients/find-or-unread.ts';
import type { DeliveryDependencies } from './deliveries.ts';
import type { SessionEnded } from './delivery-record.ts';
import { readSessionClients, type SessionClient } from './session-clients.ts';
import { isLiveSession, sessionKey } from './session-record.ts';

interface ClientsToTell {
  /** As it was; absent when it has expired. */
  readonly session: FoundRecord | undefined;
  readonly clients: readonly SessionClient[];
  /** Where those that are left begin; absent when there are none. */
  readonly after?: string;
}

/** Clients of one session that are told by one commit: a store does not carry out any number in time. */
const clientsPerCommit = 100;

/** In the order in which they are looked up. */
const nameOf = ({ sid, clientId }: SessionClient): string => `${sid} ${clientId}`;

/** Whether to notify a client. If its metadata document can't be fetched now, the notification is tried again later. */
const isConcerned = async (clients: DeliveryDependencies['clients'], id: string): Promise<boolean> => {
  try {
    return (await clients.find(id))?.metadata.backchannel_logout_uri !== undefined;
  } catch (error) {
    const problem = documentProblemIn(error);
    if (problem === undefined) throw error;
    return problem === 'unavailable';
  }
};

/** The next clients of an ended session that want to hear of it. None can be added any more. */
export const findClientsToTell = async (
  { adapter, clients, now }: Pick<DeliveryDependencies, 'adapter' | 'clients' | 'now'>,
  { sid, clientIds, after = '' }: SessionEnded,
): Promise<ClientsToTell> => {
  const key = sessionKey(sid);
  const [session] = await adapter.read([key]);
  // Whoever was to end it got no further than saying so: the logout is completed here.
  if (isLiveSession(session)) await adapter.commit([{ type: 'consume', key, at: new Date(now()) }]);
  const found = await readSessionClients(async (each) => (await adapter.read([each]))[0], sid);
  const all = [...clientIds.map((clientId) => ({ sid, clientId })), ...found];
  const distinct = new Map(all.map((each) => [nameOf(each), each]));
  const left = [...distinct.keys()].filter((name) => name > after).toSorted();
  const names = left.slice(0, clientsPerCommit);
  const page = names.flatMap((name) => distinct.get(name) ?? []);
  const concerned = await Promise.all(page.map(({ clientId }) => isConcerned(clients, clientId)));
  return {
    session,
    clients: page.filter((_, index) => concerned[index]),
    after: left.length > names.length ? names.at(-1) : undefined,
  };
};
