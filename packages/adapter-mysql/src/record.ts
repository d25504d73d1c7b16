import {
  type FoundRecord,
  type Kind,
  listedBySubject,
  listedKinds,
  placeOf,
  type StoredRecord,
} from '@carnet/adapter-contract';
import { instantOrNull, rowOf, textLiteral, textOrNull } from './literals.ts';
import type { Answer } from './run-on.ts';

const separator = '\0';

/** Members contain no NUL: a separator before each and one at the end, so that each is found whole. */
export const toMembers = (members: Iterable<string>): string =>
  separator + [...new Set(members)].map((member) => member + separator).join('');

const membersOf = (text: string | null): readonly string[] => text?.split(separator).slice(1, -1) ?? [];

/** A kind contains no colon, and the kinds that are listed whole are not those that are listed by subject. */
export const listKeyOf = ({ kind, subject }: Pick<StoredRecord, 'kind' | 'subject'>): string | undefined => {
  if ((listedKinds as readonly Kind[]).includes(kind)) return kind;
  return subject !== undefined && (listedBySubject as readonly Kind[]).includes(kind)
    ? `${kind}:${subject}`
    : undefined;
};

/** The columns of `carnet_record`, in the order of `rowLiteral`. */
export const recordColumns = [
  'place',
  'kind',
  'id',
  'in_grant',
  'is_claim',
  'list_key',
  'subject',
  'client_id',
  'payload',
  'expires_at',
  'consumed_at',
  'members',
] as const;

export interface NewRow {
  readonly record: StoredRecord;
  readonly isClaim: boolean;
  readonly expiresAt: Date | null;
  readonly consumedAt: Date | undefined;
  readonly members: readonly string[];
}

export const rowLiteral = ({ record, isClaim, expiresAt, consumedAt, members }: NewRow): string =>
  rowOf([
    textLiteral(placeOf(record)),
    textLiteral(record.kind),
    textLiteral(record.id),
    record.grantId === undefined ? '0' : '1',
    isClaim ? '1' : '0',
    textOrNull(listKeyOf(record)),
    textOrNull(record.subject),
    textOrNull(record.clientId),
    textLiteral(record.payload),
    instantOrNull(expiresAt),
    instantOrNull(consumedAt),
    members.length === 0 ? 'null' : textLiteral(toMembers(members)),
  ]);

/** The columns that a query returns, in the order of `Row`. */
export const foundColumns =
  'place, kind, id, in_grant, payload, expires_at, subject, client_id, consumed_at, members' as const;

export type Row = readonly [
  place: Buffer,
  kind: Buffer,
  id: Buffer,
  inGrant: number,
  payload: string,
  expiresAt: number | string | null,
  subject: string | null,
  clientId: string | null,
  consumedAt: number | string | null,
  members: string | null,
];

/** A pool of an app may answer with a `bigint` as text (`bigNumberStrings`), of which `new Date` makes an invalid date. */
const toDate = (milliseconds: number | string | null): Date | null =>
  milliseconds === null ? null : new Date(Number(milliseconds));

/** A field that the record was not given is not there, rather than null. */
export const toFound = ([place, kind, id, inGrant, payload, expiresAt, ...rest]: Row): FoundRecord => {
  const [subject, clientId, consumedAt, members] = rest;
  return {
    // Only kinds of the port are ever written.
    kind: kind.toString() as Kind,
    id: id.toString(),
    ...(inGrant === 1 && { grantId: place.toString() }),
    payload,
    expiresAt: toDate(expiresAt),
    ...(subject !== null && { subject }),
    ...(clientId !== null && { clientId }),
    consumedAt: toDate(consumedAt),
    members: membersOf(members),
  };
};

/** The rows that a query answered. Its statement named the columns, so that each row is one. */
export const rowsIn = (answer: Answer | undefined): readonly Row[] =>
  Array.isArray(answer) ? (answer as readonly Row[]) : [];
