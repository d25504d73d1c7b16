/** An identity at a provider: the provider's name in the configuration, and the subject there. */
export interface UpstreamIdentity {
  readonly provider: string;
  readonly upstreamSubject: string;
}

/** An identity that is to be linked. */
export interface NewIdentity extends UpstreamIdentity {
  readonly id: string;
  /** The address or the name at the provider, for the list of the user. */
  readonly shown: string | undefined;
}

/** How long a proof that an identity belongs to a user is accepted. The store remembers an unlinked identity for longer. */
export const proofLifetimeMs = 600_000;

/** An identity that is linked to a user. */
export interface Identity extends NewIdentity {
  /** The subject of the user, who may be in any directory. */
  readonly subject: string;
  /** Milliseconds since 1970. */
  readonly linkedAt: number;
}

/**
 * The identities of users at providers. Laws:
 *
 * - An identity belongs to one user: of parallel calls of `link`, in several processes, one succeeds.
 * - After `unlink`, a proof from before it links nothing: `link` fails if `since` is not later than it.
 * - The identities of a user are removed with the user.
 */
export interface IdentityStore {
  find(identity: UpstreamIdentity): Promise<Identity | undefined>;
  /** The identities of a user, in the order of their linking. */
  list(subject: string): Promise<readonly Identity[]>;
  /**
   * Links an identity that belongs to no user.
   *
   * @param since when the proof was made that both belong together, in milliseconds since 1970
   * @returns false if it belongs to a user, or was unlinked since then
   */
  link(identity: NewIdentity & { readonly subject: string }, since: number): Promise<boolean>;
  /** Removes an identity of a user. `keepLast`: not if it is the only one. @returns whether it was removed */
  unlink(subject: string, id: string, options: { readonly keepLast: boolean }): Promise<boolean>;
  /** Removes all identities of a user who exists no longer. */
  removeAll(subject: string): Promise<void>;
}
