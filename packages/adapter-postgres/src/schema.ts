/** Everything that is stored, one row each. */
interface RecordTable {
  /** `grantId ?? id`: the records of one grant lie together, so that revoking it is a range of the primary key. */
  readonly place: string;
  readonly kind: string;
  readonly id: string;
  readonly grant_id: string | null;
  readonly subject: string | null;
  readonly client_id: string | null;
  readonly payload: string;
  readonly members: string[] | null;
  readonly expires_at: Date | string | null;
  readonly consumed_at: Date | string | null;
}

export interface Schema {
  readonly carnet_record: RecordTable;
}
