import { randomInt } from 'node:crypto';

/** The characters of the time, which begins a batch id: batch ids have the order of their times. */
const timeLength = 9;
const randomLength = 6;

const timeText = (ms: number): string => Math.max(0, ms).toString(36).padStart(timeLength, '0');

/** A new id of a batch that is stored at this time. */
export const createBatchId = (ms: number): string =>
  timeText(ms) +
  randomInt(36 ** randomLength)
    .toString(36)
    .padStart(randomLength, '0');

/** Milliseconds since 1970: when the batch was stored. */
export const timeOf = (batchId: string): number => Number.parseInt(batchId.slice(0, timeLength), 36);

/** The place of an event: its batch, and its index in it. Places are compared by batch id first. */
export interface EventPlace {
  readonly batchId: string;
  readonly index: number;
}

/** The id of an event names its place, so that an event is found by its id. It has no dot (Standard Webhooks). */
export const eventIdOf = ({ batchId, index }: EventPlace): string => `evt_${batchId}_${index}`;

export const placeOf = (eventId: string): EventPlace | undefined => {
  const [, batchId, index] = /^evt_([0-9a-z]{15})_(\d{1,3})$/.exec(eventId) ?? [];
  return batchId === undefined ? undefined : { batchId, index: Number(index) };
};

/** The place after all events that are stored until this time, this millisecond included. */
export const placeAfter = (ms: number): EventPlace => ({
  batchId: timeText(ms) + 'z'.repeat(randomLength),
  index: 999,
});

export const isBefore = (one: EventPlace, other: EventPlace): boolean =>
  one.batchId === other.batchId ? one.index < other.index : one.batchId < other.batchId;
