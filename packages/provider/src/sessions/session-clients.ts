import type { FoundRecord, RecordKey } from '@carnet/adapter-contract';
import { formerSidOf, sessionKey } from './session-record.ts';

/** A client, and the `sid` by which it knows the session. */
export interface SessionClient {
  readonly sid: string;
  readonly clientId: string;
}

/** So many times over a person has confirmed one login: what came before is not looked for. */
const maxFormer = 20;

type Read = (key: RecordKey) => Promise<FoundRecord | undefined>;

/** The session and those it goes on from, latest first. */
export const readSessions = async (
  read: Read,
  sid: string,
): Promise<readonly { sid: string; record: FoundRecord }[]> => {
  const found: { sid: string; record: FoundRecord }[] = [];
  let next: string | undefined = sid;
  while (next !== undefined && found.length < maxFormer) {
    const record: FoundRecord | undefined = await read(sessionKey(next));
    if (record === undefined) break;
    found.push({ sid: next, record });
    next = formerSidOf(record);
  }
  return found;
};

/** The clients that got a token in a session, or in one that it goes on from. */
export const readSessionClients = async (read: Read, sid: string): Promise<readonly SessionClient[]> =>
  (await readSessions(read, sid)).flatMap(({ sid, record }) => record.members.map((clientId) => ({ sid, clientId })));
