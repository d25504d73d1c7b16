import type { FoundRecord, RecordKey } from '@carnet/adapter-contract';
import { readSession, readSuccessor, type Successor, sessionKey, successorKey } from './session-record.ts';

/** A client, and the `sid` by which it knows the session. */
export interface SessionClient {
  readonly sid: string;
  readonly clientId: string;
}

/** The maximum number of previous sessions that are followed: logins that the user has confirmed again. */
const maxFormer = 20;

type Read = (key: RecordKey) => Promise<FoundRecord | undefined>;

interface FoundSession {
  readonly sid: string;
  readonly record: FoundRecord;
  readonly clientIds: readonly string[];
}

/** The session and those that it continues, latest first. */
export const readSessions = async (read: Read, sid: string): Promise<readonly FoundSession[]> => {
  const found: FoundSession[] = [];
  let next: string | undefined = sid;
  while (next !== undefined && found.length < maxFormer) {
    const [record, late]: (FoundRecord | undefined)[] = await Promise.all([
      read(sessionKey(next)),
      // Clients join the latest session itself.
      found.length > 0 ? read(successorKey(next)) : undefined,
    ]);
    if (record === undefined) break;
    found.push({ sid: next, record, clientIds: [...record.members, ...(late?.members ?? [])] });
    next = readSession(record).formerSid;
  }
  return found;
};

/**
 * The latest of the sessions that continue a session; undefined if none does. Only a commit decides whether it is
 * alive.
 */
export const findSuccessor = async (read: Read, sid: string): Promise<Successor | undefined> => {
  let latest: Successor = { sid };
  for (let steps = 0; latest.sid !== undefined && steps < maxFormer; steps++) {
    const record = await read(successorKey(latest.sid));
    if (record === undefined) break;
    latest = readSuccessor(record);
  }
  return latest.sid === sid ? undefined : latest;
};

/** The clients that received a token in a session, or in one that it continues. */
export const readSessionClients = async (read: Read, sid: string): Promise<readonly SessionClient[]> =>
  (await readSessions(read, sid)).flatMap(({ sid, clientIds }) => clientIds.map((clientId) => ({ sid, clientId })));
