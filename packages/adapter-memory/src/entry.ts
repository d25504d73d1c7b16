import type { FoundRecord, RecordKey, StoredRecord } from '@carnet/adapter-contract';

/** A record as it is kept: never changed, only replaced, so that a commit can be prepared beside the store. */
export interface Entry {
  readonly record: Omit<StoredRecord, 'expiresAt'>;
  /** Milliseconds since the epoch; `null`: never. */
  readonly expiresAt: number | null;
  /** Milliseconds since the epoch; `null`: not consumed. */
  readonly consumedAt: number | null;
  readonly members: ReadonlySet<string>;
}

/** No kind contains a colon, so no two keys meet. */
export const entryKey = ({ kind, id }: RecordKey): string => `${kind}:${id}`;

/** Milliseconds since the epoch. Throws a RangeError for an invalid date: `NaN` is neither before nor after any instant. */
const toTime = (date: Date): number => {
  const time = date.getTime();
  if (Number.isNaN(time)) throw new RangeError('A record was given an invalid date.');
  return time;
};

/** Copies: what the caller does to its record afterwards stays with the caller. */
export const createEntry = ({ expiresAt, ...record }: StoredRecord): Entry => ({
  record,
  expiresAt: expiresAt === null ? null : toTime(expiresAt),
  consumedAt: null,
  members: new Set(),
});

/** The same entry, used. */
export const consumeEntry = (entry: Entry, at: Date): Entry => ({ ...entry, consumedAt: toTime(at) });

/** The same entry with more members and, if one is given, another expiry. */
export const mergeEntry = (entry: Entry, members: readonly string[], expiresAt: Date | undefined): Entry => ({
  ...entry,
  members: new Set([...entry.members, ...members]),
  expiresAt: expiresAt === undefined ? entry.expiresAt : toTime(expiresAt),
});

/** True before the instant of expiry, false from it on. */
export const isLive = ({ expiresAt }: Entry, now: number): boolean => expiresAt === null || now < expiresAt;

const toDate = (time: number | null): Date | null => (time === null ? null : new Date(time));

/** Returns a fresh object, so that results share no references. */
export const toFound = ({ record, expiresAt, consumedAt, members }: Entry): FoundRecord => ({
  ...record,
  expiresAt: toDate(expiresAt),
  consumedAt: toDate(consumedAt),
  members: [...members],
});
