import { parseJson } from '@carnet/adapter-contract/kit';
import type { EventStore } from '../ports.ts';
import { placeAfter, placeOf } from './event-id.ts';
import { eventKey, minuteOf, nameOfBatch, nameOfMinute, type StoredEvent } from './records.ts';

/** The ids of the batches of some minutes. */
export interface BatchIds {
  /** In the order of their times. */
  readonly ids: readonly string[];
  /** Milliseconds since 1970: the end of the minutes. */
  readonly through: number;
}

/** The records of one read. The first reads are small: a caller that is up to date needs the last minutes only. */
const minutesPerRead = [3, 60, 500] as const;

/** The batches after a time until another, a read after the other. */
export async function* walkBatches(
  store: Pick<EventStore, 'read'>,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncGenerator<BatchIds> {
  const last = minuteOf(to);
  const [after, end] = [placeAfter(from).batchId, placeAfter(to).batchId];
  for (let minute = minuteOf(from), read = 0; minute <= last; read++) {
    const count = Math.min(minutesPerRead[read] ?? 500, last - minute + 1);
    const minutes = Array.from({ length: count }, (_, index) => minute + index);
    const records = await store.read(minutes.map((each) => eventKey(nameOfMinute(each))));
    const ids = records.flatMap((record) => record?.members ?? []).filter((id) => id > after && id < end);
    minute += count;
    yield { ids: ids.toSorted(), through: Math.min(minute * 60_000 - 1, to) };
  }
}

/** The events of each batch. Empty for one that has expired. */
export const readBatches = async (
  store: Pick<EventStore, 'read'>,
  batchIds: readonly string[],
): Promise<readonly (readonly StoredEvent[])[]> => {
  const records = await store.read(batchIds.map((batchId) => eventKey(nameOfBatch(batchId))));
  // Written by `createGatherer` alone.
  return records.map((record) => (record === undefined ? [] : (parseJson(record.payload) as readonly StoredEvent[])));
};

/** The events with these ids, as far as they are kept. */
export const findEvents = async (
  store: Pick<EventStore, 'read'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredEvent>> => {
  const batchIds = [...new Set(ids.flatMap((id) => placeOf(id)?.batchId ?? []))];
  const found = (await readBatches(store, batchIds)).flat();
  const wanted = new Set(ids);
  return new Map(found.filter(({ id }) => wanted.has(id)).map((event) => [event.id, event]));
};
