import type { FoundRecord, Write } from '@carnet/adapter-contract';
import { deliveryRecord, type SessionEnded } from './delivery-record.ts';
import { sessionKey, snapshotOf } from './session-record.ts';

/** What ends a session, and what its clients are told by. */
export interface SessionEnd {
  readonly ended: SessionEnded;
  readonly writes: readonly Write[];
}

/**
 * Ends a session: one commit, which conflicts when it has ended already. What is to be delivered stands first: cut off
 * between the two, in stores that are not atomic, whoever delivers it ends the session (`deliveries.ts`). Consuming
 * leaves the record where it is: nothing can claim its id again (D4), and its clients, final from then on, can be read.
 */
export const endSession = (record: FoundRecord, nowMs: number): SessionEnd => {
  const { sid, subject } = snapshotOf(record);
  const ended: SessionEnded = {
    type: 'session_ended',
    sid,
    subject,
    clientIds: record.members,
    endedAt: nowMs,
  };
  return {
    ended,
    writes: [
      { type: 'put', record: deliveryRecord(ended) },
      { type: 'consume', key: sessionKey(sid), at: new Date(nowMs) },
    ],
  };
};
