/** One step of a store's schema. */
export interface Migration {
  /** Unique; steps are applied in the order of their names. */
  readonly name: string;
  /** `null`: not yet. */
  readonly appliedAt: Date | null;
}

/** Brings a store's schema up to date. Law: any number of processes may call `up` at once; each step is applied once. */
export interface Migrator {
  /**
   * An empty store may be one that lost its data, so that used codes could be used again. Only an operator knows that
   * it is new, and runs `carnet migrate up`. A process never migrates such a store at startup.
   */
  readonly onlyByHand?: boolean;
  status(): Promise<readonly Migration[]>;
  /** Applies the missing steps. Returns the names of the steps that this call applied. */
  up(): Promise<readonly string[]>;
  /** Reverts the last step and deletes its data. Returns its name; undefined if there was none. */
  down(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** The export `openMigrator` of a package whose store has a schema. */
export type OpenMigrator = (options: { readonly url: string }) => Promise<Migrator>;
