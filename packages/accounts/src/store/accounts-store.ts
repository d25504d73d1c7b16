import type { Migrator } from '@carnet/adapter-contract';
import type { CacheStore, Directory, PasswordHashing } from '../directory/index.ts';
import type { AttemptStore, FactorStore } from '../second-factors/index.ts';
import type { GroupStore } from './group-store.ts';
import type { IdentityStore } from './identity-store.ts';
import type { IssuerStore } from './issuer-store.ts';
import type { LinkStore } from './link-store.ts';
import type { PasswordRulesOptions } from './password-rules.ts';
import type { RevocationStore } from './revocation-store.ts';
import type { Users } from './users.ts';

/** The accounts database. Every function throws DirectoryError `unavailable` in an outage. */
export interface AccountsStore {
  readonly users: Users;
  readonly factors: FactorStore;
  readonly attempts: AttemptStore;
  readonly links: LinkStore;
  readonly groups: GroupStore;
  readonly identities: IdentityStore;
  readonly issuers: IssuerStore;
  readonly revocations: RevocationStore;
  /** The user cache that several processes share. */
  readonly cache: CacheStore;
  /** The users as a directory with this name. */
  openDirectory(name: string): Directory;
  /** @throws DirectoryError `unavailable`, with the remedy */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface AccountsStoreOptions extends PasswordRulesOptions {
  /** The URL of the accounts database. */
  readonly url: string;
  /** Whether missing steps of the schema are applied. */
  readonly migrate?: boolean;
  readonly hashing: PasswordHashing;
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** The part of `@carnet/accounts-sql` that this package uses. */
export interface AccountsSql {
  openAccountsStore(options: AccountsStoreOptions): Promise<AccountsStore>;
  openAccountsMigrator(options: { readonly url: string }): Promise<Migrator>;
}
