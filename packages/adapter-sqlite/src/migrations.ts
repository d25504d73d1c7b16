/** A step of the schema, there and back. Once released its text never changes. */
interface Step {
  readonly name: string;
  readonly up: string;
  readonly down: string;
}

/**
 * One table for every kind. `place` is the grant's id where there is one (`in_grant`), else the record's own: what
 * belongs together lies together, so that a login touches few pages and a grant is revoked by a range of the key.
 * Times are milliseconds since the epoch; `members` is a JSON array.
 */
export const migrations: readonly Step[] = [
  {
    name: '0001-records',
    up: `
      create table carnet_record (
        place text not null,
        kind text not null,
        id text not null,
        in_grant integer not null,
        payload text not null,
        expires_at integer,
        consumed_at integer,
        subject text,
        client_id text,
        members text,
        primary key (place, kind, id)
      ) strict, without rowid;
      create index carnet_record_expiry on carnet_record (expires_at) where expires_at is not null;
      create index carnet_record_subject on carnet_record (subject, kind, id)
        where kind = 'grant' or kind = 'session' or kind = 'consent';
      create index carnet_record_listed on carnet_record (kind, id)
        where kind = 'client' or kind = 'key' or kind = 'trusted_issuer' or kind = 'delivery';
    `,
    down: 'drop table carnet_record',
  },
];
