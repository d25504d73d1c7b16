import type { FoundRecord, Write } from '@carnet/adapter-contract';
import { deliveryRecord, type SessionEnded } from './delivery-record.ts';
import { sessionKey, snapshotOf } from './session-record.ts';

/**
 * Ends a session: one commit, which conflicts if the session has already ended. The deliveries are written first: if
 * the commit stops in between, in a store that is not atomic, the process that delivers them ends the session
 * (`deliveries.ts`). The record is consumed and stays: its id cannot be claimed again (D4), and its clients no longer
 * change.
 */
export const endSession = (record: FoundRecord, nowMs: number) => {
  const { sid, subject } = snapshotOf(record);
  const ended: SessionEnded = { type: 'session_ended', sid, subject, clientIds: record.members, endedAt: nowMs };
  const writes: readonly Write[] = [
    { type: 'put', record: deliveryRecord(ended) },
    { type: 'consume', key: sessionKey(sid), at: new Date(nowMs) },
  ];
  return { ended, writes };
};
