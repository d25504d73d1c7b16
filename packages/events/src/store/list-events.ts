import type { Clock, ErrorOf, EventStore } from '../ports.ts';
import { isWanted, typePatterns } from '../types/event-types.ts';
import { type EventPlace, eventIdOf, isBefore, placeAfter, placeOf, timeOf } from './event-id.ts';
import { readBatches, walkBatches } from './read-events.ts';
import { type StoredEvent, settleMs } from './records.ts';

export interface EventQuery {
  /** `next` of the previous page. */
  readonly after?: string | undefined;
  /** Without `after`: only events that are stored from this time on. Default: all that are kept. */
  readonly since?: Date | undefined;
  /** Types, such as `user.created`, or `user.*`. Default: all. */
  readonly types?: readonly string[] | undefined;
  /** 1 to 500. Default 100. */
  readonly limit?: number | undefined;
  /**
   * Whether to return the events of the last 40 seconds, too. They are returned once more later. Default false: each event is
   * returned once, and none is missed.
   */
  readonly recent?: boolean | undefined;
}

/** A page of events, oldest first. */
export interface EventPage {
  readonly events: readonly StoredEvent[];
  /** Where to resume, also later. */
  readonly next: string;
  /** Whether there is more now. A page may be empty nevertheless. */
  readonly hasMore: boolean;
}

/** Where a page starts. */
interface Cursor {
  readonly at: EventPlace;
  /**
   * Where the last page of a walk resumes, set by the first page with events of the last `settleMs`: another process may still
   * store an event before them.
   */
  readonly resume?: EventPlace | undefined;
}

/** Reads of minutes, and of batches, that one page may take. */
const readsPerPage = 8;
const batchesPerRead = 20;

const textOf = ({ at, resume }: Cursor): string => (resume ? `${eventIdOf(at)}~${eventIdOf(resume)}` : eventIdOf(at));

const parseCursor = (text: string, errorOf: ErrorOf): Cursor => {
  const [at, resume, ...rest] = text.split('~').map(placeOf);
  if (at !== undefined && rest.length === 0) return { at, resume };
  throw errorOf('invalid_request', 'The cursor is not valid: pass `next` of a page.');
};

interface ListDependencies extends Clock {
  readonly store: Pick<EventStore, 'read'>;
  readonly errorOf: ErrorOf;
  /** How long events are kept, in seconds. */
  readonly retention: number;
}

interface Wanted {
  readonly limit: number;
  readonly types: readonly string[];
}

/** @throws the error for a type that does not exist */
export const assertTypes = (types: readonly string[], errorOf: ErrorOf): void => {
  const unknown = types.find((type) => !typePatterns.has(type));
  if (unknown !== undefined) throw errorOf('invalid_request', 'There is no event of one of these types.');
};

/** Lists the events that are kept. */
export const createList = ({ store, errorOf, now, retention }: ListDependencies) => {
  /** Reads on from a place until the page is full, all is read, or `readsPerPage` is reached. */
  const read = async (from: EventPlace, to: number, { limit, types }: Wanted) => {
    const events: StoredEvent[] = [];
    let at = from;
    let reads = 0;
    const advance = (place: EventPlace): void => {
      if (isBefore(at, place)) at = place;
    };
    // One millisecond before, because the batch of the cursor may have further events.
    for await (const { ids, through } of walkBatches(store, { from: timeOf(from.batchId) - 1, to })) {
      for (let first = 0; first < ids.length; first += batchesPerRead) {
        const batchIds = ids.slice(first, first + batchesPerRead);
        for (const event of (await readBatches(store, batchIds)).flat()) {
          const place = placeOf(event.id);
          if (place === undefined || !isBefore(at, place)) continue;
          if (events.length === limit) return { events, at, isAtEnd: false };
          at = place;
          if (isWanted(event.type, types)) events.push(event);
        }
        advance({ batchId: batchIds.at(-1) as string, index: 999 });
        if (++reads >= readsPerPage) return { events, at, isAtEnd: false };
      }
      advance(placeAfter(Math.min(through, now() - settleMs)));
      if (++reads >= readsPerPage && through < to) return { events, at, isAtEnd: false };
    }
    return { events, at, isAtEnd: true };
  };

  return async (query: EventQuery = {}): Promise<EventPage> => {
    const { after, since, types = ['*'], limit = 100, recent = false } = query;
    assertTypes(types, errorOf);
    const start = since?.getTime() ?? now() - retention * 1_000;
    const cursor: Cursor = after === undefined ? { at: placeAfter(start - 1) } : parseCursor(after, errorOf);
    const settledAt = now() - settleMs;
    const settled = placeAfter(settledAt);
    // With the clocks of other processes ahead, their events are later than now.
    const to = recent ? now() + settleMs : settledAt;
    const { events, at, isAtEnd } = await read(cursor.at, to, { limit, types });
    const resume = cursor.resume ?? (isBefore(settled, at) ? settled : undefined);
    const next: Cursor = isAtEnd ? { at: resume ?? at } : { at, resume };
    return { events, next: textOf(next), hasMore: !isAtEnd };
  };
};

export type ListEvents = ReturnType<typeof createList>;
