import { type FoundRecord, placeOf, type RecordKey } from '@carnet/adapter-contract';

/** Three arrays: place, kind, id. */
export const keyColumns = (keys: readonly RecordKey[]) => [
  keys.map(placeOf),
  keys.map(({ kind }) => kind),
  keys.map(({ id }) => id),
];

/**
 * Text that Postgres reads the same in every session. It refuses the sign and the zero before a year after 9999. Throws a
 * RangeError for an invalid date.
 */
export const toTimestamp = (date: Date): string => date.toISOString().replace(/^\+0*/, '');

/** The text of an array: every element quoted, so that none is a number, a null or a separator. */
export const toArrayText = (members: Iterable<string>): string =>
  `{${[...members].map((member) => `"${member.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;

/** The columns of a row without its key. pg returns a 64-bit number as text. */
export type ValueRow = readonly [
  payload: string,
  expiresAt: string | null,
  subject: string | null,
  clientId: string | null,
  consumedAt: string | null,
  members: readonly string[] | null,
];

const toDate = (milliseconds: string | null): Date | null => (milliseconds === null ? null : new Date(+milliseconds));

/** A field that the record was not given is not there, rather than null. */
export const toFound = (
  { kind, id, grantId }: RecordKey,
  [payload, expiresAt, subject, clientId, consumedAt, members]: ValueRow,
): FoundRecord => ({
  kind,
  id,
  ...(grantId !== undefined && { grantId }),
  payload,
  expiresAt: toDate(expiresAt),
  ...(subject !== null && { subject }),
  ...(clientId !== null && { clientId }),
  consumedAt: toDate(consumedAt),
  members: members ?? [],
});
