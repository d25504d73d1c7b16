import type { FoundRecord, RecordKey, StoredRecord } from '@carnet/adapter-contract';
import { z } from 'zod';
import { recordId } from '../storage/record-id.ts';

/** A session has ended, and its clients are still to be looked up. Written in the commit that ends it. */
const endedSchema = z.object({
  type: z.literal('session_ended'),
  sid: z.string(),
  /** The clients that were known when it ended. The record of the session has all. */
  clientIds: z.array(z.string()).readonly(),
  /** The last client that was looked up. */
  after: z.string().optional(),
  /** Not before this. Absent: a moment after the end. */
  dueAt: z.number().optional(),
  /** Milliseconds since 1970, as are all times here. */
  endedAt: z.number(),
});

/** A pending notification of one client about one session, with its next attempt. */
const logoutSchema = z.object({
  type: z.literal('backchannel_logout'),
  sid: z.string(),
  /** Counted from 0. */
  attempt: z.number(),
  /** Not before this time: then the previous attempt is over. */
  dueAt: z.number(),
  endedAt: z.number(),
});

const payloadSchema = z.discriminatedUnion('type', [endedSchema, logoutSchema]);

export type SessionEnded = z.output<typeof endedSchema> & { readonly subject: string };
export type PendingLogout = z.output<typeof logoutSchema> & { readonly subject: string; readonly clientId: string };
export type Delivery = SessionEnded | PendingLogout;

/** The process that ended the session notifies its clients at once. After this time other processes take over. */
export const headStartMs = 5_000;
/** Longer than any schedule of attempts: a delivery that no process gave up expires. */
const lifetimeMs = 8 * 86_400_000;

const nameOf = (delivery: Delivery): string =>
  delivery.type === 'session_ended'
    ? `session-ended:${delivery.sid}${delivery.after === undefined ? '' : `:${delivery.after}`}`
    : JSON.stringify(['backchannel-logout', delivery.sid, delivery.clientId, delivery.attempt]);

export const deliveryKey = (delivery: Delivery): RecordKey => ({ kind: 'delivery', id: recordId(nameOf(delivery)) });

export const deliveryRecord = (delivery: Delivery): StoredRecord => {
  const { subject, clientId, ...payload } = { clientId: undefined, ...delivery };
  return {
    ...deliveryKey(delivery),
    payload: JSON.stringify(payload),
    expiresAt: new Date(delivery.endedAt + lifetimeMs),
    subject,
    clientId,
  };
};

/** The delivery in a record, if it is a logout. */
export const deliveryOf = ({ payload, subject = '', clientId = '' }: FoundRecord): Delivery | undefined => {
  const parsed = payloadSchema.safeParse(JSON.parse(payload)).data;
  if (parsed === undefined) return undefined;
  return parsed.type === 'session_ended' ? { ...parsed, subject } : { ...parsed, subject, clientId };
};

export const dueAtOf = ({ dueAt, endedAt }: Delivery): number => dueAt ?? endedAt + headStartMs;
