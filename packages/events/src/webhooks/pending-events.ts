import type { Clock, EventStore } from '../ports.ts';
import { placeOf } from '../store/event-id.ts';
import { readBatches, walkBatches } from '../store/read-events.ts';
import { type StoredEvent, settleMs } from '../store/records.ts';
import { isWanted } from '../types/event-types.ts';
import { type WebhookState, withDoneBatch, withDoneThrough } from './state.ts';

/** Events that are sent next, and the state once they are handled. */
export interface Slice {
  readonly events: readonly StoredEvent[];
  /** The state after the first `count` of the events are handled. */
  advance(state: WebhookState, count: number): WebhookState;
}

export interface PendingDependencies extends Clock {
  readonly store: Pick<EventStore, 'read'>;
  /** Undefined: all but those of refused requests. */
  readonly types: readonly string[] | undefined;
}

/** Unauthenticated callers cause refusals: a webhook gets them only if its configuration has types. */
const isRefusal = (type: string): boolean => /[._](?:refused|denied)$/.test(type);

/** Finds the events that a webhook has not got. One batch is in memory at a time. */
export const createPending = ({ store, types, now }: PendingDependencies) => {
  let batch: { readonly id: string; readonly events: readonly StoredEvent[] } | undefined;
  let waiting: readonly string[] = [];

  /** Finds further batches. The state says that what was searched is handled, if nothing was found. */
  const search = async (state: WebhookState): Promise<WebhookState> => {
    const handled = new Set(state.done);
    let found = state;
    for await (const { ids, through } of walkBatches(store, { from: state.doneThrough, to: now() + settleMs })) {
      waiting = ids.filter((id) => !handled.has(id));
      if (waiting.length > 0) break;
      found = withDoneThrough(found, through, now());
    }
    return found;
  };

  const eventsOf = async (batchId: string): Promise<readonly StoredEvent[]> => {
    if (batch?.id === batchId) return batch.events;
    const [events = []] = await readBatches(store, [batchId]);
    batch = { id: batchId, events };
    return events;
  };

  const sliceOf = (batchId: string, left: readonly StoredEvent[], limit: number): Slice => {
    const wanted = left.filter(({ type }) => (types === undefined ? !isRefusal(type) : isWanted(type, types)));
    return {
      events: wanted.slice(0, limit),
      advance(state, count) {
        // The events before the next wanted one are handled, too: the webhook does not want them.
        const next = wanted[count];
        if (next !== undefined) return { ...state, partial: { batchId, index: placeOf(next.id)?.index ?? 0 } };
        waiting = waiting.filter((id) => id !== batchId);
        return withDoneBatch(state, batchId, now());
      },
    };
  };

  return {
    /** The next events, at most `limit`, and the state that the search has changed. No slice: there are none now. */
    async next(state: WebhookState, limit: number): Promise<{ readonly state: WebhookState; readonly slice?: Slice }> {
      const searched = waiting.length === 0 ? await search(state) : state;
      const batchId = state.partial?.batchId ?? waiting[0];
      if (batchId === undefined) return { state: searched };
      const from = state.partial?.index ?? 0;
      const left = (await eventsOf(batchId)).filter(({ id }) => (placeOf(id)?.index ?? 0) >= from);
      return { state: searched, slice: sliceOf(batchId, left, limit) };
    },
    /** Another process has sent events meanwhile: search again. */
    forget(): void {
      waiting = [];
      batch = undefined;
    },
  };
};

export type Pending = ReturnType<typeof createPending>;
