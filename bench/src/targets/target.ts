/** The base URLs of a server's two listeners. */
export interface Endpoints {
  readonly publicUrl: string;
  readonly adminUrl: string;
}

/** A server under measurement. */
export interface Target extends Endpoints {
  readonly name: string;
  /** The processes of the server, whose CPU time is read; none if they are unknown. */
  readonly processIds: readonly number[];
  /** The processes of its store. */
  readonly storeProcessIds: readonly number[];
  /** Its settings, for the report. */
  readonly settings: Readonly<Record<string, string | number>>;
}

export interface RunningTarget extends Target {
  stop(): Promise<void>;
}
