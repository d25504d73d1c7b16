import type { Clock, ErrorOf, EventStore } from '../ports.ts';
import { isWanted } from '../types/event-types.ts';
import type { EventMember } from '../types/members.ts';
import { type EventPlace, eventIdOf, isBefore, placeAfter, placeOf, timeOf } from './event-id.ts';
import { assertTypes } from './list-events.ts';
import { readBatches } from './read-events.ts';
import { eventKey, minuteOf, nameOfMinute, type StoredEvent, settleMs } from './records.ts';

/** The members of events by which they are searched. */
const searched = {
  subject: 'subject',
  clientId: 'client_id',
  requestId: 'request_id',
} as const satisfies Readonly<Record<string, EventMember>>;

export interface EventSearch {
  /** Types, such as `user.created`, or `user.*`. Default: all. */
  readonly types?: readonly string[] | undefined;
  readonly subject?: string | undefined;
  readonly clientId?: string | undefined;
  readonly requestId?: string | undefined;
  /** Only the event with this id. */
  readonly id?: string | undefined;
  /** Only events that are stored from this time on. Default: all that are kept. */
  readonly since?: Date | undefined;
  /** Only events that were stored before this time. Default: now. */
  readonly until?: Date | undefined;
  /** `next` of the previous page. */
  readonly after?: string | undefined;
  /** 1 to 500. Default 100. */
  readonly limit?: number | undefined;
}

/** A page of events, newest first. */
export interface FoundEvents {
  readonly events: readonly StoredEvent[];
  /** Where the search resumes; absent if all was searched. A page may be empty nevertheless. */
  readonly next?: string | undefined;
  /** How far back this page has searched. */
  readonly searchedThrough: Date;
}

/** The events and the minutes that one page reads at most: a search without an index must not occupy the store. */
const batchesPerPage = 160;
const minutesPerPage = 1_500;
const batchesPerRead = 20;
/** The minutes of a read. The first one is small, because the newest events are what is mostly searched. */
const minutesPerRead = [3, 60, 500] as const;

interface SearchDependencies extends Clock {
  readonly store: Pick<EventStore, 'read'>;
  readonly errorOf: ErrorOf;
  /** How long events are kept, in seconds. */
  readonly retention: number;
}

interface Range {
  /** Only events before it. */
  readonly before: EventPlace;
  /** Only events from it on. */
  readonly from: EventPlace;
}

/** The batches of a range, newest first, a read after the other. `through`: all from this time on is read. */
async function* walkBack({ store }: Pick<SearchDependencies, 'store'>, { before, from }: Range) {
  const first = minuteOf(timeOf(from.batchId));
  for (let minute = minuteOf(timeOf(before.batchId)), read = 0; minute >= first; read++) {
    const count = Math.min(minutesPerRead[read] ?? 500, minute - first + 1);
    const minutes = Array.from({ length: count }, (_, index) => minute - index);
    const records = await store.read(minutes.map((each) => eventKey(nameOfMinute(each))));
    const ids = records.flatMap((record) => record?.members ?? []);
    minute -= count;
    const inRange = ids.filter((id) => id >= from.batchId && id <= before.batchId);
    yield { ids: inRange.toSorted().reverse(), count, through: (minute + 1) * 60_000 };
  }
}

const matcherOf = (search: EventSearch) => {
  const { types = ['*'], id } = search;
  const members = Object.entries(searched).flatMap(([name, member]) => {
    const value = search[name as keyof typeof searched];
    return value === undefined ? [] : [[member, value] as const];
  });
  return (event: StoredEvent): boolean =>
    (id === undefined || event.id === id) &&
    isWanted(event.type, types) &&
    members.every(([member, value]) => event.data[member] === value);
};

/** A page after which the search resumes before a place. */
const pageOf = (events: readonly StoredEvent[], place: EventPlace | undefined): FoundEvents => {
  if (place === undefined) throw new TypeError('an event has no place');
  return { events, next: eventIdOf(place), searchedThrough: new Date(timeOf(place.batchId)) };
};

/** Searches the events that are kept, newest first. */
export const createSearch = (deps: SearchDependencies) => {
  const { store, errorOf, now, retention } = deps;

  const placeIn = (text: string): EventPlace => {
    const place = placeOf(text);
    if (place !== undefined) return place;
    throw errorOf('invalid_request', 'The cursor or id of an event is not valid.');
  };

  const rangeOf = ({ since, until, after }: EventSearch): Range => {
    const start = since?.getTime() ?? now() - retention * 1_000;
    // The clocks of other processes may be ahead.
    const end = until?.getTime() ?? now() + settleMs;
    const from = { batchId: placeAfter(start - 1).batchId, index: 0 };
    return { before: after === undefined ? placeAfter(end - 1) : placeIn(after), from };
  };

  return async (search: EventSearch = {}): Promise<FoundEvents> => {
    const { types = ['*'], limit = 100 } = search;
    assertTypes(types, errorOf);
    const isFound = matcherOf(search);
    if (search.id !== undefined) {
      const { batchId } = placeIn(search.id);
      const events = (await readBatches(store, [batchId])).flat().filter(isFound);
      return { events, searchedThrough: new Date(timeOf(batchId)) };
    }
    const range = rangeOf(search);
    const events: StoredEvent[] = [];
    let [batches, minutes] = [0, 0];
    for await (const { ids, count, through } of walkBack(deps, range)) {
      for (let first = 0; first < ids.length; first += batchesPerRead) {
        const some = ids.slice(first, first + batchesPerRead);
        for (const event of (await readBatches(store, some)).flatMap((batch) => batch.toReversed())) {
          const place = placeOf(event.id);
          if (place === undefined || !isBefore(place, range.before) || !isFound(event)) continue;
          if (events.length === limit) return pageOf(events, placeOf(events[limit - 1]?.id ?? ''));
          events.push(event);
        }
        batches += some.length;
        if (batches >= batchesPerPage) return pageOf(events, { batchId: some.at(-1) ?? '', index: 0 });
      }
      minutes += count;
      const isAtEnd = minuteOf(timeOf(range.from.batchId)) * 60_000 >= through;
      if (minutes >= minutesPerPage && !isAtEnd) return pageOf(events, placeAfter(through - 1));
    }
    return { events, searchedThrough: new Date(timeOf(range.from.batchId)) };
  };
};

export type SearchEvents = ReturnType<typeof createSearch>;
