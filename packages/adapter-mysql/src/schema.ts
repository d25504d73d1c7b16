/** Everything that is stored, one row each. */
interface RecordTable {
  /** The id of the grant, or of a record without one: the records of a grant lie together. */
  readonly place: Buffer;
  readonly kind: Buffer;
  readonly id: Buffer;
  readonly in_grant: number;
  /** Whether the row was written by a claim: the condition of an insert reads it of the row to be inserted. Stored, it is not read. */
  readonly is_claim: number;
  /** The list that has the record: its kind, or its kind and subject. Null: it is not listed. */
  readonly list_key: Buffer | null;
  readonly subject: string | null;
  readonly client_id: string | null;
  readonly payload: string;
  /** Each member after a NUL; a NUL at the end. */
  readonly members: string | null;
  /** Milliseconds since the epoch. */
  readonly expires_at: number | null;
  readonly consumed_at: number | null;
}

export interface Schema {
  readonly carnet_record: RecordTable;
}
