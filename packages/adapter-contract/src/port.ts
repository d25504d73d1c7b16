/**
 * The storage port: two operations of one round trip each, lists, and housekeeping. The laws are documented at the members
 * that they bind. `laws.ts` holds them as data, and each adapter is tested against them.
 */

/** Everything that is ever stored. Closed: an adapter may keep one table for all of them or one for each. */
export const kinds = [
  /** A registered client. Long-lived, listed by the admin API. */
  'client',
  /** The grant of a user to a client in one login. Tokens without their grant are invalid. */
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
  /** A value that may be used once, such as the `jti` of a client assertion, or a numbered reuse of a refresh token. */
  'replay',
  /** A flow state that is too large for a URL, stored by reference. */
  'flow',
  /** A pushed authorization request (RFC 9126). */
  'pushed_request',
  /** A device authorization (RFC 8628): the record of a device code, of a user code, or of the decision. */
  'device',
  /** A backchannel authentication request (CIBA), and the decision about it. */
  'backchannel_request',
  /** A counter of attempts, such as entered user codes. Its members are the attempts. Short-lived. */
  'counter',
  /** A signing key, sealed, or another record of a key set. Long-lived, listed. */
  'key',
  /** An issuer whose assertions are exchanged for tokens (RFC 7523). Listed. */
  'trusted_issuer',
  /** An initial or registration access token (RFC 7591, RFC 7592). */
  'registration_token',
  /** A notification of a client: a back-channel logout. Listed until it is delivered. */
  'delivery',
  /** Events of a moment, the index of a minute, or the state of a webhook. Found by its id, never listed. */
  'event',
] as const;

export type Kind = (typeof kinds)[number];

/** Kinds of which all records are listed. Their records belong to no grant. */
export const listedKinds = ['client', 'key', 'trusted_issuer', 'delivery'] as const satisfies readonly Kind[];
/** Kinds that are listed by subject. */
export const listedBySubject = ['grant', 'session', 'consent'] as const satisfies readonly Kind[];

/** Identifies a record. */
export interface RecordKey {
  readonly kind: Kind;
  /** SHA-256, base64url, of the real id: a copy of the database has no tokens. `bindAdapter` may put 65 characters before. */
  readonly id: string;
  /**
   * The grant the record belongs to. It is an index (`revoke`) and a placement hint: an adapter that shards must keep
   * all records of one grant together, so that `commit` can be atomic for them. Every call about a record passes the same
   * `grantId`; every call about a record without a grant passes none.
   */
  readonly grantId?: string;
}

/** A record as a caller writes it. */
export interface StoredRecord extends RecordKey {
  /** JSON text. Opaque to the store: no adapter parses or indexes it. May contain any Unicode, `\u0000` included. */
  readonly payload: string;
  /** The record is absent from this time on. `null`: it never expires. */
  readonly expiresAt: Date | null;
  /**
   * The subject of the record. Grants, sessions and consents are listed by it. `subject`, `clientId` and each member
   * have at most 1,024 bytes, no NUL and no lone surrogate. A subject that `bindAdapter` passes has 65 bytes more.
   */
  readonly subject?: string;
  /** The client of the record. Records are never searched by it. */
  readonly clientId?: string;
}

/** A record as a read returns it. */
export interface FoundRecord extends StoredRecord {
  /** The time of `consume`; `null` if the record is not consumed. */
  readonly consumedAt: Date | null;
  /** The distinct members that `merge` has added, in no particular order. */
  readonly members: readonly string[];
}

/** One change. A commit is a list of writes, of which all or none are applied. */
export type Write =
  /**
   * Insert, or replace the whole record: payload, expiry, indexes. `consumedAt` and `members` are reset.
   * With `onlyIfPresent` it is a conflict (`absent`) if there is no record, or it has expired.
   */
  | { readonly type: 'put'; readonly record: StoredRecord; readonly onlyIfPresent?: boolean }
  /** Delete. Deleting an absent record is no conflict. */
  | { readonly type: 'remove'; readonly key: RecordKey }
  /** Insert once: conflict (`exists`) if an unexpired record has the id, consumed or not. */
  | { readonly type: 'claim'; readonly record: StoredRecord }
  /** Mark as used: conflict if there is no unexpired record (`absent`), or it is already consumed (`consumed`). */
  | { readonly type: 'consume'; readonly key: RecordKey; readonly at: Date }
  /**
   * Add members to the record, and with `expiresAt` change its expiry: conflict if there is no unexpired record
   * (`absent`), or it is consumed (`consumed`). Other fields do not change, so that parallel merges lose nothing.
   * Without members and expiry it is only a condition: the rest of the commit is carried out only if the record exists
   * and is not consumed.
   */
  | {
      readonly type: 'merge';
      readonly key: RecordKey;
      readonly members: readonly string[];
      readonly expiresAt?: Date;
    }
  /**
   * Delete every record with this `grantId`, of every kind. Never a conflict. Law: a parallel rotation of one of these
   * records leaves no record: it conflicts, or its new records are deleted, too.
   */
  | { readonly type: 'revoke'; readonly grantId: string };

export type ConflictReason = 'exists' | 'absent' | 'consumed';

/**
 * The reason why a commit was not carried out: the first of its writes whose condition failed. If commits are atomic by
 * grant, the order is that of the parts.
 */
export interface Conflict {
  /** The object that the caller passed, not a copy: callers compare by identity. */
  readonly write: Write;
  readonly reason: ConflictReason;
}

/** A list in keyset pages: all records of a kind, or those of one subject. No other kind is listed. */
export type ListQuery = PageQuery &
  (
    | { readonly kind: (typeof listedKinds)[number]; readonly subject?: undefined }
    | { readonly kind: (typeof listedBySubject)[number]; readonly subject: string }
  );

interface PageQuery {
  /** 1 to 501: callers pass at most 500, and `bindAdapter` one more. */
  readonly limit: number;
  /** `next` of the previous page. */
  readonly after?: string;
}

/** A page of the whole store. */
export interface ScanQuery {
  /** 1 to 500. A page may have fewer records, and in some stores a few more. `after` is the `next` of the page before it. */
  readonly limit: number;
  readonly after?: string;
  /** Only records whose place begins with this text: their grantId or, without a grant, their id. */
  readonly prefix?: string;
}

export interface Page {
  readonly records: readonly FoundRecord[];
  /** The cursor of the next page. Absent on the last page. */
  readonly next?: string;
}

/** The capabilities of an adapter. The provider does not start with a store that would be unsafe. */
export interface Capabilities {
  /**
   * `all`: every commit is atomic. `grant`: a commit is atomic for the records of one grant, and for a record without
   * one. Such parts are carried out one after the other, in the order of their first writes. After a conflict, the
   * parts before it stay, and the parts after it are not carried out.
   */
  readonly atomicCommit: 'all' | 'grant';
  /** Several processes may use the same store at once and see each other's commits. */
  readonly shared: boolean;
  /** Commits survive the end of the process, and `kill -9` of the store. They are synced to the disk before they resolve. */
  readonly durable: boolean;
  /**
   * A record that was acknowledged as removed, revoked or consumed is never restored, even if the store loses other
   * data. This is true for durable stores, and for stores that lose all data or none.
   */
  readonly neverRevives: boolean;
  /** The setting of the store that the operator must change for more capabilities. */
  readonly remedy?: string;
}

/** The limit up to which a sweep counts remaining records. */
export const mostLeftCounted = 10_000;

/** The result of a sweep. */
export interface Swept {
  readonly removed: number;
  /** The number of remaining expired records, counted up to `mostLeftCounted`. */
  readonly left: number;
}

/** The store answers, but is not fit for use, for example because tables are missing. The message says what to do. */
export class StoreUnfitError extends Error {
  override readonly name = 'StoreUnfitError';
}

export interface StorageAdapter {
  readonly capabilities: Capabilities;

  /**
   * Read any number of records: one round trip.
   *
   * Law: the result has the length and order of `keys`, with `undefined` for absent and expired records. An expired
   * record is absent even if no sweep has run. A consumed record is not absent. Results share no objects with other results.
   * Law: a read that starts after a commit has resolved sees that commit.
   */
  read(keys: readonly RecordKey[]): Promise<readonly (FoundRecord | undefined)[]>;

  /**
   * Apply all of `writes`, in order, or none: one round trip. Resolves with the first conflict, or with undefined. It
   * throws only if the store could not be reached or did not answer: then the outcome is unknown.
   *
   * Law: conditions hold *in the store*, across processes: of fifty parallel claims of an id, or consumes of a record,
   * exactly one wins. Law: a write sees the writes before it in the same commit.
   */
  commit(writes: readonly Write[]): Promise<Conflict | undefined>;

  /**
   * Lists unexpired records of a kind in keyset pages.
   *
   * Law: the pages contain every record that exists from the first page to the last exactly once, even if other records
   * are inserted or removed meanwhile.
   * Law: all records of a kind are in the order of their ids, byte by byte, and `after` may be any text.
   */
  list(query: ListQuery): Promise<Page>;

  /**
   * Reads unexpired records of every kind in pages, in any order. For maintenance: no request calls it.
   *
   * Law: the pages contain every record that exists from the first page to the last at least once, even if others change
   * meanwhile. A page may be empty: only the last one has no `next`.
   */
  scan(query: ScanQuery): Promise<Page>;

  /** Remove at most `limit` expired records. Never needed for correctness. */
  sweep(limit: number): Promise<Swept>;

  /**
   * Resolves if the store answers and is fit for use. @throws StoreUnfitError if an operator must act; otherwise the
   * driver's error
   */
  ping(): Promise<void>;

  /** Release everything. Later calls reject. */
  close(): Promise<void>;
}

/**
 * The export `openAdapter` of an adapter package. Carnet opens its own adapters by URL. An application opens other
 * adapters and passes them in.
 *
 * @throws StoreUnfitError if the URL is not valid, or the store is not fit for use
 */
export type OpenAdapter = (options: { readonly url: string }) => Promise<StorageAdapter>;
