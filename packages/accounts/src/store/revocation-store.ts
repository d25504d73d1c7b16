/** A user whose sessions and tokens are revoked repeatedly until a time. Times are milliseconds since 1970. */
export interface Revocation {
  readonly subject: string;
  readonly untilAt: number;
}

/** The users whose sessions and tokens are revoked repeatedly, so that any process can resume after one has ended. */
export interface RevocationStore {
  /** A second call for a user sets `dueAt`; of two times `untilAt`, the later one is stored. */
  begin(revocation: Revocation & { readonly dueAt: number }): Promise<void>;
  /** Users whose `dueAt` has come. It becomes the given one: of several processes, one gets a user. */
  takeDue(query: {
    readonly now: number;
    readonly dueAt: number;
    readonly limit: number;
  }): Promise<readonly Revocation[]>;
  /** Forgets a user, unless a later call of `begin` has set a later time. */
  end(subject: string, untilAt: number): Promise<void>;
}
