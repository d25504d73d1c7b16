/** One step of the check of a directory, such as the connection or the bind. */
export interface CheckedStep {
  readonly target: string;
  readonly step: string;
  readonly ok: boolean;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  readonly detail?: string | undefined;
}

export interface CheckedDirectory {
  readonly directory: string;
  readonly steps: readonly CheckedStep[];
}

/** Health and cache of the directories, for administrators. */
export interface DirectoryOperations {
  /** Checks the connection to each directory, step by step. */
  check(): Promise<{ readonly directories: readonly CheckedDirectory[] }>;
  /** Removes users from the user cache: those of a directory, those with a login name, or all. */
  purge(which?: {
    readonly directory?: string | undefined;
    readonly login?: string | undefined;
  }): Promise<{ readonly removed: number }>;
}
