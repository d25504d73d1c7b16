import { hash } from 'node:crypto';
import type { RecordKey, StoredRecord } from '@carnet/adapter-contract';
import type { RecordedEvent } from '../types/audit-events.ts';

/** An event as the store has it, and as webhooks and `GET /admin/events` return it. */
export interface StoredEvent extends RecordedEvent {
  readonly id: string;
}

/** The key of a record of the kind `event`. These records are found by their names, and are in no list of the store. */
export const eventKey = (name: string): RecordKey => ({ kind: 'event', id: hash('sha256', name, 'base64url') });

export const eventRecord = (name: string, payload: object, expiresAt: Date | null): StoredRecord => ({
  ...eventKey(name),
  payload: JSON.stringify(payload),
  expiresAt,
});

const minuteMs = 60_000;

export const minuteOf = (ms: number): number => Math.floor(ms / minuteMs);

/** The record of a minute. Its members are the ids of the batches that were stored in it. */
export const nameOfMinute = (minute: number): string => `events:minute:${minute}`;

export const nameOfBatch = (batchId: string): string => `events:batch:${batchId}`;

/**
 * The longest time, in milliseconds, from the time in a batch id until every process sees the batch: clocks that differ by 30
 * seconds, and a commit that takes ten.
 */
export const settleMs = 40_000;
