/**
 * The storage port: two operations of one round trip each, and housekeeping. The laws are documented at the members that they
 * bind. `laws.ts` holds them as data, and each adapter is tested against them.
 */

/** Everything that is ever stored. Closed: an adapter may keep one table for all of them or one for each. */
export const kinds = [
  /** A registered client. Long-lived, listed by the admin API. */
  'client',
  /** What a user has granted to a client in one login. Tokens without their grant are invalid. */
  'grant',
  'access_token',
  'refresh_token',
  /** An access token of the client_credentials grant. It belongs to no user's grant. */
  'client_credentials',
  /** The redemption record of an authorization code. Codes themselves are sealed and never stored. */
  'authorization_code',
  /** A remembered login: claimed once, its clients and expiry merged, consumed by logout. */
  'session',
  /** A remembered consent of one subject to one client. */
  'consent',
  /** Something that may be used once (a client assertion's or DPoP proof's `jti`, a refresh token's one reuse). */
  'replay',
  /** The state of a flow that was too large to travel. */
  'flow',
  /** A pushed authorization request (RFC 9126). */
  'pushed_request',
  /** A device authorization (RFC 8628): what a device code, a user code, or the decision about them stands for. */
  'device',
  /** A backchannel authentication request (CIBA), and the decision about it. */
  'backchannel_request',
  /** How often something was tried, as members: guesses of user codes. Short-lived. */
  'counter',
  /** A signing key, sealed, or another record of a key set. Long-lived, listed. */
  'key',
  /** An issuer whose assertions are exchanged for tokens (RFC 7523). Listed. */
  'trusted_issuer',
  /** An initial or registration access token (RFC 7591, RFC 7592). */
  'registration_token',
  /** Something that has to be told to a client: a back-channel logout. Listed, until it is delivered. */
  'delivery',
] as const;

export type Kind = (typeof kinds)[number];

/** Kinds that are listed whole. */
export const listedKinds = ['client', 'key', 'trusted_issuer', 'delivery'] as const satisfies readonly Kind[];
/** Kinds that are listed by subject. */
export const listedBySubject = ['grant', 'session', 'consent'] as const satisfies readonly Kind[];

/** Names a record. */
export interface RecordKey {
  readonly kind: Kind;
  /** SHA-256 of the real id, base64url (43 characters): a copy of the database is not a bag of tokens. */
  readonly id: string;
  /**
   * The grant the record belongs to. It is an index (`revoke`) and a placement hint: an adapter that shards must keep
   * all records of one grant together, so that `commit` can be atomic for them. Always the same for the same key, and
   * given wherever the key is.
   */
  readonly grantId?: string;
}

/** What a caller hands over and gets back. */
export interface StoredRecord extends RecordKey {
  /** JSON text. Opaque to the store: no adapter parses or indexes it. May contain any Unicode, `\u0000` included. */
  readonly payload: string;
  /** From this instant on the record is absent. `null`: never. */
  readonly expiresAt: Date | null;
  /**
   * Whose record it is; lists of grants, sessions and consents are by subject. At most 1,024 bytes, as are `clientId` and
   * each member; no NUL, no lone surrogate.
   */
  readonly subject?: string;
  /** Which client's record it is. Nothing is looked up by it. */
  readonly clientId?: string;
}

/** A record as it stands in the store. */
export interface FoundRecord extends StoredRecord {
  /** When `consume` was carried out; `null` while it was not. */
  readonly consumedAt: Date | null;
  /** What `merge` has added, in no particular order, each once. */
  readonly members: readonly string[];
}

/** One change. A commit is a list of them, applied all or none. */
export type Write =
  /**
   * Insert, or replace whole: payload, expiry, indexes; `consumedAt` and `members` start afresh.
   * With `onlyIfPresent` it is a conflict (`absent`) when there is no live record to replace.
   */
  | { readonly type: 'put'; readonly record: StoredRecord; readonly onlyIfPresent?: boolean }
  /** Delete. Deleting what is absent is no conflict. */
  | { readonly type: 'remove'; readonly key: RecordKey }
  /** Insert once, ever: conflict (`exists`) when a live record has the id, consumed or not. */
  | { readonly type: 'claim'; readonly record: StoredRecord }
  /** Mark as used: conflict when there is no live record (`absent`) or it is marked already (`consumed`). */
  | { readonly type: 'consume'; readonly key: RecordKey; readonly at: Date }
  /**
   * Add to the record's set, and with `expiresAt` move its expiry: conflict when there is no live record (`absent`) or
   * it is consumed (`consumed`). Nothing else of the record changes, so that parallel merges lose nothing. Without members
   * and expiry it changes nothing and is a condition: the rest of the commit is carried out only while the record is
   * usable.
   */
  | {
      readonly type: 'merge';
      readonly key: RecordKey;
      readonly members: readonly string[];
      readonly expiresAt?: Date;
    }
  /**
   * Delete every record whose `grantId` is this, of every kind. Never a conflict. Law: a rotation of one of them that
   * runs in parallel leaves nothing behind: it conflicts, or what it wrote is deleted too.
   */
  | { readonly type: 'revoke'; readonly grantId: string };

export type ConflictReason = 'exists' | 'absent' | 'consumed';

/**
 * Why a commit was not carried out: the first of its writes, in order, that could not be. Where a commit is atomic by
 * grant, the order is that in which it is carried out: part by part.
 */
export interface Conflict {
  readonly write: Write;
  readonly reason: ConflictReason;
}

/** A list, in keyset pages: of all records of a kind, or of what one subject has. No other kind is ever listed. */
export type ListQuery = PageQuery &
  (
    | { readonly kind: (typeof listedKinds)[number]; readonly subject?: undefined }
    | { readonly kind: (typeof listedBySubject)[number]; readonly subject: string }
  );

interface PageQuery {
  /** 1 to 500. */
  readonly limit: number;
  /** `next` of the page before. */
  readonly after?: string;
}

export interface Page {
  readonly records: readonly FoundRecord[];
  /** Where the next page starts; absent on the last one. */
  readonly next?: string;
}

/** What an adapter can promise. The provider refuses at start what would be unsafe without it. */
export interface Capabilities {
  /**
   * `all`: any commit is atomic. `grant`: a commit is atomic for the records of one grant, and for a record of none.
   * Such parts are carried out one after the other, in the order of their first writes; a conflict in one leaves those
   * before it standing, and nothing comes of those after it.
   */
  readonly atomicCommit: 'all' | 'grant';
  /** Several processes may use the same store at once and see each other's commits. */
  readonly shared: boolean;
  /** What was committed survives the end of the process, and the store's own end by `kill -9`. */
  readonly durable: boolean;
  /**
   * What was acknowledged as removed, revoked or consumed never comes back, whatever else the store may lose: true of
   * one that is durable, and of one that loses nothing or everything.
   */
  readonly neverRevives: boolean;
  /** What to change about the store so that it could promise more, for whoever runs it. */
  readonly remedy?: string;
}

/** How far a sweep counts what it leaves. */
export const mostLeftCounted = 10_000;

/** What a sweep came to. */
export interface Swept {
  readonly removed: number;
  /** Expired records that are still there, counted up to `mostLeftCounted`. */
  readonly left: number;
}

/** The store answers, but is not fit for use: its tables are not there, it evicts records ... The message says what to do. */
export class StoreUnfitError extends Error {
  override readonly name = 'StoreUnfitError';
}

export interface StorageAdapter {
  readonly capabilities: Capabilities;

  /**
   * Read any number of records: one round trip.
   *
   * Law: the answer has the length and order of `keys`; what is absent or expired is `undefined`. Expired is absent at
   * read, whether or not a sweep has run. Consumed is not absent. Answers alias nothing: changing one changes no other.
   * Law: a read that starts after a commit has resolved sees that commit.
   */
  read(keys: readonly RecordKey[]): Promise<readonly (FoundRecord | undefined)[]>;

  /**
   * Apply all of `writes`, in order, or none: one round trip. Resolves with the conflict that stopped it, or with
   * nothing. It throws only when the store could not be reached or did not answer: then nothing is known.
   *
   * Law: conditions hold *in the store*, across processes: of fifty parallel claims of an id, or consumes of a record,
   * exactly one wins. Law: a write sees the writes before it in the same commit.
   */
  commit(writes: readonly Write[]): Promise<Conflict | undefined>;

  /**
   * Live records of a kind in keyset pages.
   *
   * Law: walking the pages meets every record that was there from the first page to the last exactly once, whatever is
   * inserted or removed meanwhile.
   */
  list(query: ListQuery): Promise<Page>;

  /** Remove at most `limit` expired records. Never needed for correctness. */
  sweep(limit: number): Promise<Swept>;

  /** Resolves when the store answers and is fit for use; throws otherwise, StoreUnfitError where somebody has to act. */
  ping(): Promise<void>;

  /** Release everything. Later calls reject. */
  close(): Promise<void>;
}

/**
 * What an adapter package exports as `openAdapter`. Carnet loads its own by name; others are handed to it opened.
 *
 * @throws StoreUnfitError when the URL, or what is found there, can't be used.
 */
export type OpenAdapter = (options: { readonly url: string }) => Promise<StorageAdapter>;

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
   * An empty store can't be told from one that was lost, and what was used up before could be used again: somebody has
   * to say that it is new, by `carnet migrate up`. A process that starts does not.
   */
  readonly onlyByHand?: boolean;
  status(): Promise<readonly Migration[]>;
  /** Applies what is missing; answers with the names of what this call applied. */
  up(): Promise<readonly string[]>;
  /** Takes the last step back, and with it what it held; answers with its name, or nothing when there was none. */
  down(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** What a package whose store has a schema exports as `openMigrator`. */
export type OpenMigrator = (options: { readonly url: string }) => Promise<Migrator>;
