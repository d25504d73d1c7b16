import { hash } from 'node:crypto';
import { type Kind, listedBySubject, listedKinds, type RecordKey, type StoredRecord } from '@carnet/adapter-contract';
import type { Attributes, ItemKey } from './wire.ts';

const includes = (kinds: readonly string[], kind: string): boolean => kinds.includes(kind);

/** The places of items. The first character of a partition key says which one it is. */
const place = {
  grant: 'g#',
  record: 'r#',
  listOfKind: 'l#',
  listOfSubject: 's#',
} as const;

/** The sort key of a record that has its partition for itself. */
const alone = '-';

export const partitionOfGrant = (grantId: string): string => place.grant + grantId;

/**
 * Where a record is: in the partition of its grant, in the list of its kind, or in a partition of its own. No kind contains
 * `#` or `:`.
 */
export const itemKeyOf = ({ kind, id, grantId }: RecordKey): ItemKey => {
  if (grantId !== undefined) return { pk: partitionOfGrant(grantId), sk: `${kind}:${id}` };
  if (includes(listedKinds, kind)) return { pk: place.listOfKind + kind, sk: id };
  return { pk: `${place.record}${kind}#${id}`, sk: alone };
};

/** The id that Carnet gives the record of a grant: a hash, after the prefix of an issuer. With other ids, a commit costs more. */
export const headIdOf = (grantId: string): string => {
  const start = grantId.lastIndexOf('~') + 1;
  return grantId.slice(0, start) + hash('sha256', grantId.slice(start), 'base64url');
};

/**
 * The head of a grant: the item of the grant's own record, whether there is one or not. It has the number of revocations,
 * and so it decides about all records of the grant.
 */
export const headKeyOf = (grantId: string): ItemKey => itemKeyOf({ kind: 'grant', id: headIdOf(grantId), grantId });

/** The partition of a list. */
export const listOf = (kind: Kind, subject?: string): string =>
  subject === undefined ? place.listOfKind + kind : `${place.listOfSubject}${kind}#${subject}`;

/** Whether a record may be in a list that is not its own place: then a pointer is there. */
export const mayHavePointer = ({ kind, grantId }: RecordKey): boolean =>
  includes(listedBySubject, kind) || (includes(listedKinds, kind) && grantId !== undefined);

/** The pointer to a record in its list. Undefined if it needs none. */
export const pointerKeyOf = (record: StoredRecord): ItemKey | undefined => {
  const { kind, id, subject } = record;
  if (!mayHavePointer(record)) return undefined;
  if (includes(listedKinds, kind)) return { pk: listOf(kind), sk: id };
  return subject === undefined ? undefined : { pk: listOf(kind, subject), sk: id };
};

/** The record that an item contains; undefined for a pointer's list. */
export const recordKeyOf = ({ pk, sk }: ItemKey): RecordKey | undefined => {
  const rest = pk.slice(2);
  if (pk.startsWith(place.listOfKind)) return { kind: rest as Kind, id: sk };
  if (pk.startsWith(place.record)) {
    const end = rest.indexOf('#');
    return { kind: rest.slice(0, end) as Kind, id: rest.slice(end + 1) };
  }
  if (!pk.startsWith(place.grant)) return undefined;
  const end = sk.indexOf(':');
  return { kind: sk.slice(0, end) as Kind, id: sk.slice(end + 1), grantId: rest };
};

/** One text for each item. No sort key contains NUL. */
export const nameOf = ({ pk, sk }: ItemKey): string => `${pk}\0${sk}`;

export const keyAttributes = ({ pk, sk }: ItemKey): Attributes => ({ pk: { S: pk }, sk: { S: sk } });

export const itemKeyIn = ({ pk, sk }: Attributes): ItemKey => ({ pk: pk?.S ?? '', sk: sk?.S ?? '' });
