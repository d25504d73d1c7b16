import type { FoundRecord } from '@carnet/adapter-contract';
import type { DeliveryDependencies } from './deliveries.ts';
import type { SessionEnded } from './delivery-record.ts';
import { readSessionClients, type SessionClient } from './session-clients.ts';
import { isLiveSession, sessionKey } from './session-record.ts';

interface ClientsToTell {
  /** As it was; absent when it has expired. */
  readonly session: FoundRecord | undefined;
  readonly clients: readonly SessionClient[];
}

/** The clients of an ended session that want to hear of it. None can be added any more. */
export const findClientsToTell = async (
  { adapter, clients, now }: Pick<DeliveryDependencies, 'adapter' | 'clients' | 'now'>,
  { sid, clientIds }: SessionEnded,
): Promise<ClientsToTell> => {
  const key = sessionKey(sid);
  const [session] = await adapter.read([key]);
  // Whoever was to end it got no further than saying so: the logout is completed here.
  if (isLiveSession(session)) await adapter.commit([{ type: 'consume', key, at: new Date(now()) }]);
  const found = await readSessionClients(async (each) => (await adapter.read([each]))[0], sid);
  const all = [...clientIds.map((clientId) => ({ sid, clientId })), ...found];
  const distinct = [...new Map(all.map((each) => [`${each.sid} ${each.clientId}`, each])).values()];
  const registered = await Promise.all(distinct.map(({ clientId }) => clients.find(clientId)));
  const isConcerned = (index: number) => registered[index]?.metadata.backchannel_logout_uri !== undefined;
  return { session, clients: distinct.filter((_, index) => isConcerned(index)) };
};
