import type { FoundRecord, Kind, RecordKey, StoredRecord } from '@carnet/adapter-contract';

/** A record as a statement answers it: the columns of `carnet_record`. */
export interface Row {
  readonly place: string;
  readonly kind: Kind;
  readonly id: string;
  readonly in_grant: 0 | 1;
  readonly payload: string;
  readonly expires_at: number | null;
  readonly consumed_at: number | null;
  readonly subject: string | null;
  readonly client_id: string | null;
  readonly members: string | null;
}

/** Milliseconds since the epoch. Throws a RangeError for an invalid date: `NaN` is neither before nor after any instant. */
export const toTime = (date: Date): number => {
  const time = date.getTime();
  if (Number.isNaN(time)) throw new RangeError('A record was given an invalid date.');
  return time;
};

/** The primary key: place, kind, id. */
export const keyOf = ({ kind, id, grantId }: RecordKey): [string, Kind, string] => [grantId ?? id, kind, id];

/** The columns of a put besides the key: in_grant, payload, expires_at, subject, client_id. */
export const contentOf = ({ grantId, payload, expiresAt, subject, clientId }: StoredRecord) =>
  [
    grantId === undefined ? 0 : 1,
    payload,
    expiresAt === null ? null : toTime(expiresAt),
    subject ?? null,
    clientId ?? null,
  ] as const;

export const membersOf = (members: string | null): readonly string[] =>
  members === null ? [] : (JSON.parse(members) as string[]);

const toDate = (time: number | null): Date | null => (time === null ? null : new Date(time));

export const toFound = (row: Row): FoundRecord => ({
  kind: row.kind,
  id: row.id,
  grantId: row.in_grant === 1 ? row.place : undefined,
  payload: row.payload,
  expiresAt: toDate(row.expires_at),
  subject: row.subject ?? undefined,
  clientId: row.client_id ?? undefined,
  consumedAt: toDate(row.consumed_at),
  members: membersOf(row.members),
});
