import type { FoundRecord, RecordKey, StoredRecord } from '@carnet/adapter-contract';
import { type KeyLayout, memberOf } from './keys.ts';

/** The hash of a record: a field each, and one for every member that was merged. */
const memberPrefix = 'm:';

const never = 'never';

/** Milliseconds since the epoch. Throws a RangeError for an invalid date: `NaN` is neither before nor after any instant. */
export const toTime = (date: Date): number => {
  const time = date.getTime();
  if (Number.isNaN(time)) throw new RangeError('A record was given an invalid date.');
  return time;
};

export const toExpiry = (expiresAt: Date | null): string => (expiresAt === null ? never : `${toTime(expiresAt)}`);

export const toMemberField = (member: string): string => memberPrefix + member;

/** Field, value, field, value ... of a record as it is put. */
export const toFields = (record: StoredRecord, keys: KeyLayout): readonly string[] => {
  const { payload, expiresAt, subject, clientId } = record;
  const fields = ['payload', payload, 'expiry', toExpiry(expiresAt)];
  if (subject !== undefined) fields.push('subject', subject);
  if (clientId !== undefined) fields.push('client', clientId);
  const list = keys.listOf(record);
  if (list !== undefined) fields.push('list', list, 'member', memberOf(record));
  return fields;
};

/** The result of `HGETALL`: field, value, field, value ... */
export type Hash = readonly string[];

const toDate = (text: string | undefined): Date | null =>
  text === undefined || text === never ? null : new Date(Number(text));

const parseHash = (hash: Hash) => {
  const fields = new Map<string, string>();
  const members: string[] = [];
  for (let i = 0; i < hash.length; i += 2) {
    const name = hash[i] as string;
    if (name.startsWith(memberPrefix)) members.push(name.slice(memberPrefix.length));
    else fields.set(name, hash[i + 1] as string);
  }
  return { fields, members };
};

/** The record at the time `now`, and its list. Undefined if it is absent or has expired. */
export const parseRecord = (
  { kind, id, grantId }: RecordKey,
  hash: Hash,
  now: number,
): { readonly record: FoundRecord; readonly list?: string } | undefined => {
  const { fields, members } = parseHash(hash);
  const payload = fields.get('payload');
  if (payload === undefined) return undefined;
  const expiresAt = toDate(fields.get('expiry'));
  if (expiresAt !== null && expiresAt.getTime() <= now) return undefined;
  const consumedAt = toDate(fields.get('consumed'));
  const subject = fields.get('subject');
  const clientId = fields.get('client');
  return {
    record: { kind, id, grantId, payload, expiresAt, subject, clientId, consumedAt, members },
    list: fields.get('list'),
  };
};
