import { parseJson } from '@carnet/adapter-contract/kit';
import { z } from 'zod';
import { timeOf } from '../store/event-id.ts';
import { settleMs } from '../store/records.ts';

/** All times are milliseconds since 1970. */
const stateSchema = z.object({
  /** The process that may change the state. */
  holder: z.string(),
  /** The URL and the secrets, hashed. A change of them ends `isGone`. */
  fingerprint: z.string(),
  /** All batches until this time are handled: their events are delivered, or in `retries` or `failed`. */
  doneThrough: z.number(),
  /** The batches after `doneThrough` that are handled. */
  done: z.array(z.string()).readonly(),
  /** The batch that is handled, and the index of its next event. */
  partial: z.object({ batchId: z.string(), index: z.number() }).optional(),
  /** Events that are tried again. */
  retries: z.array(z.object({ id: z.string(), attempts: z.number(), dueAt: z.number() })).readonly(),
  /** Events that failed for good. The latest `maxFailed`. */
  failed: z
    .array(z.object({ id: z.string(), attempts: z.number(), failedAt: z.number(), reason: z.string() }))
    .readonly(),
  /** No request before this time: the receiver has asked for a pause. */
  pausedUntil: z.number(),
  /** While `retries` is full: when the next event is tried. */
  probeAt: z.number(),
  /** The receiver has answered 410. */
  isGone: z.boolean(),
});

export type WebhookState = z.output<typeof stateSchema>;
export type Retry = WebhookState['retries'][number];
export type FailedEvent = WebhookState['failed'][number];

/** With so many events to try again, a webhook is stalled: it gets one new event a minute, until it accepts one. */
const maxRetries = 100;
const maxFailed = 1_000;

export const nameOfState = (webhook: string): string => `webhook:${webhook}:state`;

export const parseState = (payload: string): WebhookState | undefined => stateSchema.safeParse(parseJson(payload)).data;

/** The state of a webhook that is new: it gets the events from now on. */
export const newState = (at: number): Omit<WebhookState, 'holder'> => ({
  fingerprint: '',
  doneThrough: at - 1,
  done: [],
  retries: [],
  failed: [],
  pausedUntil: 0,
  probeAt: 0,
  isGone: false,
});

export const isStalled = ({ retries }: Pick<WebhookState, 'retries'>): boolean => retries.length >= maxRetries;

/** All batches until this time are handled. Other processes may still store batches of the last `settleMs`. */
export const withDoneThrough = (state: WebhookState, ms: number, now: number): WebhookState => {
  const doneThrough = Math.max(state.doneThrough, Math.min(ms, now - settleMs));
  return { ...state, doneThrough, done: state.done.filter((batchId) => timeOf(batchId) > doneThrough) };
};

/** A batch is handled, and all batches with an earlier time that this process could see. */
export const withDoneBatch = (state: WebhookState, batchId: string, now: number): WebhookState =>
  withDoneThrough({ ...state, done: [...state.done, batchId], partial: undefined }, timeOf(batchId) - 1, now);

/** The latest failures. */
export const withFailed = (state: WebhookState, failed: readonly FailedEvent[]): WebhookState => ({
  ...state,
  failed: [...state.failed, ...failed].slice(-maxFailed),
});
