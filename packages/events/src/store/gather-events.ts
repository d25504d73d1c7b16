import type { Write } from '@carnet/adapter-contract';
import type { Clock, EventStore, Logger } from '../ports.ts';
import type { RecordedEvent } from '../types/audit-events.ts';
import { createBatchId, eventIdOf } from './event-id.ts';
import { eventKey, eventRecord, minuteOf, nameOfBatch, nameOfMinute, type StoredEvent } from './records.ts';

export interface GatherDependencies extends Clock {
  readonly store: EventStore;
  /** How long events are kept, in seconds. */
  readonly retention: number;
  readonly logger: Pick<Logger, 'warn'>;
  /** Called after events were stored. */
  readonly onStored: () => void;
}

/** The pause between two commits of a process, in milliseconds. */
const pauseMs = 1_000;
/** Events of one record. An id has three digits for the place in it. */
const eventsPerBatch = 200;
const batchesPerCommit = 5;
/** While the store does not answer, so many events wait in memory. The others are lost, and the log has their number. */
const maxWaiting = 10_000;
/** Events of refused requests wait in addition, and take no place of the others: unauthenticated callers cause them. */
const maxWaitingRefusals = 1_000;

const outcomeOf = ({ data }: RecordedEvent) => data.outcome ?? 'success';

/** The events are stored by one record for each batch, and a member of the record of the minute. */
const createStoring = ({ store, retention, now }: GatherDependencies) => {
  let lastTime = 0;
  let lastMinute = 0;
  const expiryAt = (ms: number): Date => new Date(ms + retention * 1_000);

  /** The first process of a minute creates its record. A read before it avoids conflicts, which would slow down other commits. */
  const openMinute = async (minute: number): Promise<void> => {
    const [found] = await store.read([eventKey(nameOfMinute(minute))]);
    const record = eventRecord(nameOfMinute(minute), {}, expiryAt((minute + 1) * 60_000));
    if (found === undefined) await store.commit([{ type: 'claim', record }]);
    lastMinute = minute;
  };

  return async (events: readonly RecordedEvent[]): Promise<void> => {
    const time = now();
    const minute = minuteOf(time);
    if (minute !== lastMinute) await openMinute(minute);
    const writes: Write[] = [];
    const members: string[] = [];
    for (let at = 0; at < events.length; at += eventsPerBatch) {
      // Later batches have later ids, so that the events of a process keep their order.
      lastTime = Math.max(time, lastTime + 1);
      const batchId = createBatchId(lastTime);
      const stored = events
        .slice(at, at + eventsPerBatch)
        .map((event, index): StoredEvent => ({ id: eventIdOf({ batchId, index }), ...event }));
      writes.push({ type: 'put', record: eventRecord(nameOfBatch(batchId), stored, expiryAt(time)) });
      members.push(batchId);
    }
    const conflict = await store.commit([...writes, { type: 'merge', key: eventKey(nameOfMinute(minute)), members }]);
    // The record of the minute is kept as long as its events. If it is gone, it is created again.
    if (conflict === undefined) return;
    lastMinute = 0;
    throw new Error('The record of the minute is missing.');
  };
};

/**
 * Gathers the events of a process, and stores them at most once a second in one commit: a login has no commit of its own for
 * them. A process that is killed loses the events of the last second.
 */
export const createGatherer = (deps: GatherDependencies) => {
  const { logger, onStored } = deps;
  const storeEvents = createStoring(deps);
  let waiting: RecordedEvent[] = [];
  const places = { success: maxWaiting, denied: maxWaitingRefusals };
  let lost = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const taken = waiting.slice(0, eventsPerBatch * batchesPerCommit);
      await storeEvents(taken);
      waiting = waiting.slice(taken.length);
      for (const event of taken) places[outcomeOf(event)]++;
      onStored();
    }
    if (lost > 0) logger.warn({ lost }, 'events lost, because the store did not answer');
    lost = 0;
  };

  const run = async (): Promise<void> => {
    timer = undefined;
    try {
      running = flush();
      await running;
    } catch (err) {
      logger.warn({ err, waiting: waiting.length }, 'events wait for the store');
    }
    running = undefined;
    if (waiting.length > 0) schedule();
  };

  const schedule = (): void => {
    if (timer !== undefined || running !== undefined) return;
    timer = setTimeout(() => void run(), pauseMs);
    timer.unref();
  };

  return {
    add(event: RecordedEvent): void {
      const outcome = outcomeOf(event);
      if (places[outcome] === 0) lost++;
      else {
        places[outcome]--;
        waiting.push(event);
      }
      schedule();
    },
    /** Stores what waits. */
    async close(): Promise<void> {
      clearTimeout(timer);
      await running?.catch(() => {});
      await run();
      clearTimeout(timer);
    },
  };
};
