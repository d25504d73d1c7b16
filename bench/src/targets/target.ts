/** The base URLs of a server's two listeners. */
export interface Endpoints {
  readonly publicUrl: string;
  readonly adminUrl: string;
}

/** A server under measurement. */
export interface Target extends Endpoints {
  readonly name: string;
  /** The processes that are the server, so that its CPU can be read; none for a server that somebody else has started. */
  readonly processIds: readonly number[];
  /** The same of its store. */
  readonly storeProcessIds: readonly number[];
  /** What it was started with, for the report. */
  readonly settings: Readonly<Record<string, string | number>>;
}

export interface RunningTarget extends Target {
  stop(): Promise<void>;
}
