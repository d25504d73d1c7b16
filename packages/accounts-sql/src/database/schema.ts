import type { IdentifierKind, UserState } from '@carnet/accounts/store';

/** Times are milliseconds since 1970. */
type Milliseconds = number;

export interface UserTable {
  /** A random UUID, or the id of an import. It never changes, and must never be given to another user. */
  readonly id: string;
  readonly state: UserState;
  /** A JSON object. */
  readonly claims: string;
  readonly created_at: Milliseconds;
  readonly updated_at: Milliseconds;
  /** Null unless the user has asked to be deleted. */
  readonly delete_at: Milliseconds | null;
  /** The claims `name` and `family_name` in the form of `searchKey`. Null without the claim. */
  readonly name_key: string | null;
  readonly family_name_key: string | null;
  /** The id that a provisioning client has given to the user. */
  readonly external_id: string | null;
}

/** The login names of a user. A name belongs to one user, whatever its kind. */
export interface IdentifierTable {
  readonly normalised: string;
  readonly kind: IdentifierKind;
  readonly user_id: string;
}

export interface CredentialTable {
  readonly user_id: string;
  readonly password_hash: string;
  /** Increased by each change of the password, but not by a new hash of the same password. */
  readonly version: number;
  readonly updated_at: Milliseconds;
}

export interface FactorTable {
  readonly id: string;
  readonly subject: string;
  readonly kind: string;
  readonly label: string;
  readonly payload: string;
  readonly counter: number;
  readonly confirmed_at: Milliseconds | null;
  readonly created_at: Milliseconds;
  readonly last_used_at: Milliseconds | null;
  readonly version: number;
}

export interface AttemptTable {
  readonly key: string;
  readonly count: number;
  readonly reset_at: Milliseconds;
}

/** The ids of challenges and links that were used. */
export interface ClaimTable {
  readonly id: string;
  readonly expires_at: Milliseconds;
}

/** The links of emails that have not expired. */
export interface LinkTable {
  /** The kind of the link and the hash of its token. */
  readonly id: string;
  /** Encrypted. */
  readonly content: string;
  /** Null in links without a user, such as those of a sign-up, and in links of earlier versions. */
  readonly user_id: string | null;
  readonly expires_at: Milliseconds;
}

/** The identities of users at providers. */
export interface IdentityTable {
  readonly id: string;
  readonly provider: string;
  readonly upstream_subject: string;
  readonly subject: string;
  readonly shown: string | null;
  readonly linked_at: Milliseconds;
  /** Null while it is linked. An unlinked row stays until earlier proofs have expired. */
  readonly unlinked_at: Milliseconds | null;
}

/** The groups of users. */
export interface GroupTable {
  readonly id: string;
  readonly name: string;
  /** The name in the form of `searchKey`: no two groups have the same. */
  readonly name_key: string;
  /** The id that a provisioning client has given to the group. */
  readonly external_id: string | null;
  readonly created_at: Milliseconds;
  readonly updated_at: Milliseconds;
}

/** Reads join the user: a row of a user who was deleted at the same moment has no effect. */
export interface GroupMemberTable {
  readonly group_id: string;
  readonly user_id: string;
}

export interface CachedUserTable {
  readonly directory: string;
  readonly login: string;
  /** A `DirectoryUser` as JSON. */
  readonly user: string;
  readonly fetched_at: Milliseconds;
  readonly expires_at: Milliseconds;
}

/** The users whose sessions and tokens are revoked repeatedly, until no sign-in from before can be completed. */
export interface RevocationTable {
  readonly subject: string;
  readonly until_at: Milliseconds;
  /** When another process revokes in place of the one that began. */
  readonly due_at: Milliseconds;
}

export interface Schema {
  readonly carnet_user: UserTable;
  readonly carnet_identifier: IdentifierTable;
  readonly carnet_credential: CredentialTable;
  readonly carnet_factor: FactorTable;
  readonly carnet_attempt: AttemptTable;
  readonly carnet_claim: ClaimTable;
  readonly carnet_link: LinkTable;
  readonly carnet_identity: IdentityTable;
  readonly carnet_group: GroupTable;
  readonly carnet_group_member: GroupMemberTable;
  readonly carnet_provider: { readonly name: string; readonly issuer: string };
  readonly carnet_cached_user: CachedUserTable;
  readonly carnet_revocation: RevocationTable;
  readonly carnet_accounts_migration: { readonly name: string; readonly applied_at: Milliseconds };
}
