import { type FoundRecord, listedBySubject, listedKinds, type StoredRecord } from '@carnet/adapter-contract';
import { type Keys, parseKey } from './keys.ts';
import type { Entity, Timestamp, Value } from './wire.ts';

/** The ranges of the expiry index. Expiries grow with time: one range alone would take about 500 writes a second. */
export const shardCount = 8;

/** A place in the expiry index: a shard, and the expiry in it. */
export const sweepKey = (shard: number, milliseconds: number): string =>
  `${shard}:${String(Math.max(milliseconds, 0)).padStart(15, '0')}`;

const shardOf = (id: string): number => id.charCodeAt(id.length - 1) % shardCount;

/** The list of all records of a kind, or of one subject. No kind contains a colon, so no two lists have the same name. */
export const listName = (kind: string, subject?: string): string =>
  subject === undefined ? kind : `${kind}:${subject}`;

const includes = (kinds: readonly string[], kind: string): boolean => kinds.includes(kind);

const listOf = ({ kind, subject }: StoredRecord): string | undefined => {
  if (includes(listedKinds, kind)) return listName(kind);
  return includes(listedBySubject, kind) && subject !== undefined ? listName(kind, subject) : undefined;
};

/** @throws RangeError for an invalid date, which is neither before nor after any instant. */
const toTimestamp = (date: Date): Timestamp => {
  const milliseconds = date.getTime();
  if (Number.isNaN(milliseconds)) throw new RangeError('A record was given an invalid date.');
  const seconds = Math.floor(milliseconds / 1_000);
  return { seconds, nanos: (milliseconds - seconds * 1_000) * 1_000_000 };
};

const toDate = ({ timestampValue }: Value): Date | null =>
  timestampValue ? new Date(Number(timestampValue.seconds) * 1_000 + Math.round(timestampValue.nanos / 1e6)) : null;

// Datastore indexes each property that is not excluded.
const text = (stringValue: string): Value => ({ stringValue, excludeFromIndexes: true });
const time = (date: Date): Value => ({ timestampValue: toTimestamp(date), excludeFromIndexes: true });
const indexed = (stringValue: string): Value => ({ stringValue });

/** The properties that have a value. */
const present = (properties: Readonly<Record<string, Value | false | undefined>>): Entity['properties'] =>
  Object.fromEntries(Object.entries(properties).filter((entry): entry is [string, Value] => Boolean(entry[1])));

export interface Encoding {
  readonly keys: Keys;
  /** Whether a sweep finds expired records by an index. */
  readonly isSwept: boolean;
  /** Identifies the commit that wrote the entity. */
  readonly commitId: string;
}

/** The entity of a record. `list` and `sweep` are its only indexed properties. */
export const toEntity = (record: FoundRecord, { keys, isSwept, commitId }: Encoding): Entity => {
  const { id, expiresAt, consumedAt, members, subject, clientId } = record;
  const list = listOf(record);
  return {
    key: keys.record(record),
    properties: present({
      payload: text(record.payload),
      // A TTL policy needs a timestamp.
      expires_at: expiresAt !== null && time(expiresAt),
      sweep: expiresAt !== null && isSwept && indexed(sweepKey(shardOf(id), expiresAt.getTime())),
      list: list !== undefined && indexed(list),
      subject: subject !== undefined && text(subject),
      client_id: clientId !== undefined && text(clientId),
      consumed_at: consumedAt !== null && time(consumedAt),
      members: members.length > 0 && { arrayValue: { values: members.map(text) } },
      commit: text(commitId),
    }),
  };
};

export const commitIdOf = ({ properties }: Entity): string | undefined => properties.commit?.stringValue;

/** A field that the record was not given is not there, rather than undefined. */
export const toFound = ({ key, properties }: Entity): FoundRecord => {
  const { payload, expires_at, subject, client_id, consumed_at, members } = properties;
  return {
    ...parseKey(key),
    payload: payload?.stringValue ?? '',
    expiresAt: expires_at ? toDate(expires_at) : null,
    ...(subject?.stringValue !== undefined && { subject: subject.stringValue }),
    ...(client_id?.stringValue !== undefined && { clientId: client_id.stringValue }),
    consumedAt: consumed_at ? toDate(consumed_at) : null,
    members: members?.arrayValue?.values.map(({ stringValue }) => stringValue ?? '') ?? [],
  };
};

export { isUnexpired as isLive } from '@carnet/adapter-contract/kit';
