import type { RecordKey, StorageAdapter } from '@carnet/adapter-contract';
import type { Clock } from '../clock.ts';
import { CarnetError } from '../errors.ts';
import { recordId } from '../storage/record-id.ts';

const tries = 3;
const minuteMs = 60_000;

export interface RateDependencies extends Clock {
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
  readonly maxPerMinute: number;
}

/**
 * Limits the registrations of all callers, in all processes. Each minute has a fixed number of slots, and each slot is
 * claimed in the store: if two processes find the same free slot, only one of them gets it.
 *
 * @returns what throws CarnetError `too_many_registrations`
 */
export const createRate =
  ({ adapter, maxPerMinute, now }: RateDependencies): (() => Promise<void>) =>
  async () => {
    const minute = Math.floor(now() / minuteMs);
    const places = Array.from(
      { length: maxPerMinute },
      (_, place): RecordKey => ({ kind: 'counter', id: recordId(`registration:${minute}:${place}`) }),
    );
    const taken = await adapter.read(places);
    const free = places.filter((_, place) => taken[place] === undefined);
    for (const key of free.slice(0, tries)) {
      const record = { ...key, payload: '{}', expiresAt: new Date((minute + 2) * minuteMs) };
      if ((await adapter.commit([{ type: 'claim', record }])) === undefined) return;
    }
    throw new CarnetError('too_many_registrations', 'Too many clients are being registered. Try again in a minute.');
  };
