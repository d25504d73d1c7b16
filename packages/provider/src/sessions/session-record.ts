import type { FoundRecord, RecordKey, StorageAdapter, StoredRecord } from '@carnet/adapter-contract';
import { z } from 'zod';
import type { FlowState, LoginDecision } from '../flow/flow-state.ts';
import type { BrowserPlace } from '../http/browser-place.ts';
import { payloadReader, strings } from '../storage/payload.ts';
import { recordId } from '../storage/record-id.ts';

/**
 * The content of a remembered login. It is claimed once, and only its clients and its expiry change, so that no data is
 * lost (D3).
 */
const sessionPayload = z.object({
  sid: z.string(),
  /** Seconds since 1970. */
  authTime: z.number(),
  acceptedAt: z.number().optional(),
  acr: z.string().optional(),
  amr: strings.optional(),
  /**
   * The session that this one continues, because the same user signed in again in the same browser. Its clients know
   * that `sid`.
   */
  formerSid: z.string().optional(),
  /** The session id at the login app's own identity provider. */
  identityProviderSessionId: z.string().optional(),
  /** The place of the browser at the time of the login. */
  place: z.object({ address: z.string().optional(), userAgent: z.string().optional() }).optional(),
});

type SessionPayload = Readonly<z.output<typeof sessionPayload>>;

export const readSession = payloadReader(sessionPayload);

export const sessionKey = (sid: string): RecordKey => ({ kind: 'session', id: recordId(sid) });

/**
 * Names the session that continues another one, because the same user has signed in again in the same browser. Its
 * members are the clients that joined the former session afterwards, by a code that was issued before. It has no `sid`
 * if the new login is not remembered.
 */
export const successorKey = (sid: string): RecordKey => ({ kind: 'session', id: recordId(`after:${sid}`) });

const successorPayload = z.object({ sid: z.string().optional() });

export type Successor = Readonly<z.output<typeof successorPayload>>;

export const readSuccessor = payloadReader(successorPayload);

export const successorRecord = (
  formerSid: string,
  successor: Successor,
  expiresAt: StoredRecord['expiresAt'],
): StoredRecord => ({ ...successorKey(formerSid), payload: JSON.stringify(successor), expiresAt });

/** The time at which all sessions of a user were ended last, for sign-ins of which no session is stored. */
const endedKey = (subject: string): RecordKey => ({ kind: 'session', id: recordId(`ended:${subject}`) });

const readEnd = payloadReader(z.object({ endedAt: z.number() }));

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
  return record && readEnd(record).endedAt;
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
  const { authTime, acceptedAt, acr, amr, identityProviderSessionId } = login;
  const payload: SessionPayload = { sid, authTime, acceptedAt, acr, amr, formerSid, identityProviderSessionId, place };
  return {
    ...sessionKey(sid),
    payload: JSON.stringify(payload),
    expiresAt: new Date(endsAt * 1000),
    subject: login.subject,
  };
};

/**
 * The expiry of a flow's session, in seconds since 1970. Undefined if there is none. It is computed from the time of
 * the login, so that a replayed verifier cannot prolong the session.
 */
export const sessionEndOf = (state: FlowState, defaultSeconds: number): number | undefined =>
  state.login?.remember
    ? (state.login.acceptedAt ?? state.login.authTime) + (state.login.rememberFor ?? defaultSeconds)
    : undefined;

/** The part of a session that travels with a flow begun in it. */
export const snapshotOf = (record: FoundRecord): NonNullable<FlowState['session']> => {
  const { sid, authTime, acr, amr } = readSession(record);
  return { sid, authTime, acr, amr, subject: record.subject ?? '' };
};
