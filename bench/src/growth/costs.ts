/** The mean cost of one operation: a login, a refresh. */
export interface OperationCost {
  /** Requests that share a statement count once. */
  readonly statements: number;
  /** Bytes of write-ahead log, without page images. */
  readonly walBytes: number;
  /** CPU time of all processes of Carnet, and of Postgres. */
  readonly carnetMicroseconds: number;
  readonly postgresMicroseconds: number;
  readonly rows: readonly NewRows[];
}

/** The rows of a kind that an operation leaves behind. */
export interface NewRows {
  readonly kind: string;
  /** For each operation. */
  readonly count: number;
  readonly lifetimeSeconds: number;
  /** The mean size of a row in the table. */
  readonly heapBytes: number;
}

export const operationNames = [
  'login',
  'login-remember',
  'login-returning',
  'abandoned',
  'refresh',
  'introspection',
  'client-credentials',
] as const;
export type OperationName = (typeof operationNames)[number];

/** What a table of many logins costs. */
export interface TableCost {
  readonly rows: number;
  /** The size of the indexes for each row. */
  readonly indexBytes: number;
  /** More of it for each row that is listed by subject: grants, sessions, consents. */
  readonly subjectIndexBytes: number;
  /** Bytes of page images in the log, for each login after a checkpoint: nearly every page is touched for the first time. */
  readonly imageBytes: number;
  readonly sweep: SweepCost;
}

export interface SweepCost {
  /** A batch of 1,000 rows. */
  readonly batchSeconds: number;
  /** Added to a batch by each row that was removed since the last vacuum, if the batch begins at the first entry of the index. */
  readonly secondsPerDeadRow: number;
  /** Bytes of log for each removed row: its removal, and its share of the vacuum. */
  readonly walBytes: number;
  /** CPU time of Postgres for each removed row, vacuum included. */
  readonly postgresMicroseconds: number;
}

export interface MeasuredCosts {
  readonly operations: Readonly<Record<OperationName, OperationCost>>;
  readonly table: TableCost;
}
