import type { FoundRecord, RecordKey, StorageAdapter, StoredRecord } from '@carnet/adapter-contract';
import type { FlowState, LoginDecision } from '../flow/flow-state.ts';
import type { BrowserPlace } from '../http/browser-place.ts';
import { recordId } from '../storage/record-id.ts';

/**
 * The content of a remembered login. It is claimed once, and only its clients and its expiry change, so that no data is
 * lost (D3).
 */
export interface SessionPayload {
  readonly sid: string;
  /** Seconds since 1970. */
  readonly authTime: number;
  readonly acr?: string;
  readonly amr?: readonly string[];
  /**
   * The session that this one continues, because the same user signed in again in the same browser. Its clients know
   * that `sid`.
   */
  readonly formerSid?: string;
  /** The session id at the login app's own identity provider. */
  readonly identityProviderSessionId?: string;
  /** The place of the browser at the time of the login. */
  readonly place?: BrowserPlace;
}

export const sessionKey = (sid: string): RecordKey => ({ kind: 'session', id: recordId(sid) });

/**
 * Names the session that continues another one, because the same user has signed in again in the same browser. Its
 * members are the clients that joined the former session afterwards, by a code that was issued before. It has no `sid`
 * if the new login is not remembered.
 */
export const successorKey = (sid: string): RecordKey => ({ kind: 'session', id: recordId(`after:${sid}`) });

export interface Successor {
  readonly sid?: string;
}

export const successorRecord = (
  formerSid: string,
  successor: Successor,
  expiresAt: StoredRecord['expiresAt'],
): StoredRecord => ({ ...successorKey(formerSid), payload: JSON.stringify(successor), expiresAt });

export const successorOf = (record: FoundRecord): Successor => JSON.parse(record.payload) as Successor;

/** The time at which all sessions of a user were ended last, for sign-ins of which no session is stored. */
const endedKey = (subject: string): RecordKey => ({ kind: 'session', id: recordId(`ended:${subject}`) });

/** No page may accept a sign-in for longer without a stored session. */
const endedSeconds = 86_400;

export const endedRecord = (subject: string, nowMs: number): StoredRecord => ({
  ...endedKey(subject),
  payload: JSON.stringify({ endedAt: nowMs }),
  expiresAt: new Date(nowMs + endedSeconds * 1000),
});

/** Milliseconds since 1970. */
export const readEndedAt = async (
  adapter: Pick<StorageAdapter, 'read'>,
  subject: string,
): Promise<number | undefined> => {
  const [record] = await adapter.read([endedKey(subject)]);
  return record && (JSON.parse(record.payload) as { endedAt: number }).endedAt;
};

/** Logout consumes the record, which stays: its id can't be claimed again, so that the session can't come back (D4). */
export const isLiveSession = (record: FoundRecord | undefined): record is FoundRecord =>
  record !== undefined && record.consumedAt === null;

export interface NewSession {
  readonly sid: string;
  readonly login: LoginDecision;
  /** Seconds since 1970. */
  readonly endsAt: number;
  readonly formerSid?: string;
  readonly place: BrowserPlace;
}

export const sessionRecord = ({ sid, login, endsAt, formerSid, place }: NewSession): StoredRecord => {
  const { authTime, acr, amr, identityProviderSessionId } = login;
  const payload: SessionPayload = { sid, authTime, acr, amr, formerSid, identityProviderSessionId, place };
  return {
    ...sessionKey(sid),
    payload: JSON.stringify(payload),
    expiresAt: new Date(endsAt * 1000),
    subject: login.subject,
  };
};

/**
 * The expiry of a flow's session, in seconds since 1970. Undefined if there is none. It is computed from the time of
 * authentication, so that a replayed verifier cannot prolong the session.
 */
export const sessionEndOf = (state: FlowState, defaultSeconds: number): number | undefined =>
  state.login?.remember ? state.login.authTime + (state.login.rememberFor ?? defaultSeconds) : undefined;

/** The part of a session that travels with a flow begun in it. */
export const snapshotOf = (record: FoundRecord): NonNullable<FlowState['session']> => {
  const { sid, authTime, acr, amr } = JSON.parse(record.payload) as SessionPayload;
  return { sid, authTime, acr, amr, subject: record.subject ?? '' };
};

export const formerSidOf = (record: FoundRecord): string | undefined =>
  (JSON.parse(record.payload) as SessionPayload).formerSid;

export const identityProviderSessionOf = (record: FoundRecord): string | undefined =>
  (JSON.parse(record.payload) as SessionPayload).identityProviderSessionId;
