import type { FoundRecord, RecordKey, StoredRecord } from '@carnet/adapter-contract';
import { itemKeyOf, keyAttributes } from './keys.ts';
import type { Attributes, AttributeValue, ItemKey } from './wire.ts';

/** The partitions of the expiry index: one takes about 1,000 writes a second. */
export const shardCount = 8;

export const shardName = (shard: number): string => `${shard}`;

const shardOf = (id: string): string => shardName(id.charCodeAt(id.length - 1) % shardCount);

/** How items are written. */
export interface Encoding {
  /** Identifies the commit. */
  readonly version: string;
  readonly now: number;
  /** Whether a sweep finds expired items by an index. */
  readonly isSwept: boolean;
}

const text = (value: string): AttributeValue => ({ S: value });
export const number = (value: number): AttributeValue => ({ N: `${value}` });

/** @throws RangeError for an invalid date, which is neither before nor after any instant */
export const instant = (date: Date): AttributeValue => {
  const milliseconds = date.getTime();
  if (Number.isNaN(milliseconds)) throw new RangeError('A record was given an invalid date.');
  return number(milliseconds);
};

/**
 * The number that DynamoDB's TTL needs: seconds, never before the record expires. DynamoDB ignores an instant of more than
 * five years ago: a record that is stored expired gets the present one.
 */
export const ttlOf = (expiresAt: Date, now: number): AttributeValue =>
  number(Math.ceil(Math.max(expiresAt.getTime(), now) / 1_000));

/** The attributes that have a value. */
const present = (attributes: Readonly<Record<string, AttributeValue | false | undefined>>): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, AttributeValue] => Boolean(entry[1])),
  );

/** The attributes of an expiry. */
export const expiryOf = ({ id, expiresAt }: Pick<StoredRecord, 'id' | 'expiresAt'>, { now, isSwept }: Encoding) =>
  expiresAt === null
    ? {}
    : {
        expires: instant(expiresAt),
        ttl: ttlOf(expiresAt, now),
        ...(isSwept && { sweep: text(shardOf(id)) }),
      };

/** Without the attributes by which DynamoDB or a sweep removes an item. */
const kept = ({ ttl, sweep, ...rest }: Attributes): Attributes => rest;

/** The item of a record. `epoch` is the number of revocations of its grant. */
export const toItem = (record: FoundRecord, epoch: number, encoding: Encoding): Attributes => {
  const { payload, consumedAt, members, subject, clientId } = record;
  return present({
    ...keyAttributes(itemKeyOf(record)),
    payload: text(payload),
    ...expiryOf(record, encoding),
    used: consumedAt !== null && instant(consumedAt),
    members: members.length > 0 && { SS: members },
    subject: subject !== undefined && text(subject),
    client: clientId !== undefined && text(clientId),
    epoch: epoch > 0 && number(epoch),
    version: text(encoding.version),
  });
};

/** The item of a head with a record. If the grant was revoked before, the number has to outlive the record. */
export const toHead = (record: FoundRecord, epoch: number, encoding: Encoding): Attributes => {
  const item = toItem(record, epoch, encoding);
  return epoch === 0 ? item : { ...kept(item), revoked: number(epoch) };
};

/** A head without a record. */
export const tombstone = (key: ItemKey, epoch: number, { version }: Encoding): Attributes => ({
  ...keyAttributes(key),
  revoked: number(epoch),
  version: text(version),
});

/** The item that lists a record in the partition `key.pk`. */
export const toPointer = (key: ItemKey, record: StoredRecord, encoding: Encoding): Attributes =>
  present({
    ...keyAttributes(key),
    grant: record.grantId !== undefined && text(record.grantId),
    ...expiryOf(record, encoding),
    version: text(encoding.version),
  });

const toDate = (value: AttributeValue | undefined): Date | null =>
  value?.N === undefined ? null : new Date(Number(value.N));

export const numberIn = (value: AttributeValue | undefined): number => Number(value?.N ?? 0);

/** The record in an item. Undefined if it has none. A field that the record was not given is not there. */
export const toFound = (key: RecordKey, item: Attributes): FoundRecord | undefined => {
  const { payload, expires, used, members, subject, client } = item;
  if (payload?.S === undefined) return undefined;
  return {
    kind: key.kind,
    id: key.id,
    ...(key.grantId !== undefined && { grantId: key.grantId }),
    payload: payload.S,
    expiresAt: toDate(expires),
    ...(subject?.S !== undefined && { subject: subject.S }),
    ...(client?.S !== undefined && { clientId: client.S }),
    consumedAt: toDate(used),
    members: [...(members?.SS ?? [])],
  };
};

/** True before the instant of expiry, false from it on. */
export const isUnexpired = ({ expires }: Attributes, now: number): boolean =>
  expires?.N === undefined || now < Number(expires.N);

/** How often the grant of a head was revoked. */
export const epochOf = (head: Attributes | undefined): number => numberIn(head?.revoked);

/**
 * Whether an item has a record that exists at an epoch of its grant. A record of a later epoch proves that the head was
 * read before the record.
 */
export const isLive = (item: Attributes, epoch: number, now: number): boolean =>
  item.payload !== undefined && isUnexpired(item, now) && numberIn(item.epoch) >= epoch;
